/** The pages that participants have open, in a thread of their own. */
import { Worker } from "node:worker_threads";
import type { Installation } from "./installation.ts";
import type { Command, Commands } from "./page-thread.ts";

export interface Pages extends AsyncDisposable {
  /** Runs a command of the thread. */
  readonly run: <Name extends keyof Commands>(
    name: Name,
    ...values: Parameters<Commands[Name]>
  ) => Promise<Awaited<ReturnType<Commands[Name]>>>;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export function startPages({ url, cookies }: Installation): Pages {
  const worker = new Worker(new URL("page-thread.ts", import.meta.url), { workerData: { url, cookies } });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  worker.on("message", ({ id, result, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  worker.on("error", (error) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  let lastId = 0;
  return {
    run: (name, ...values) => {
      const reply = Promise.withResolvers<unknown>();
      lastId += 1;
      waiting.set(lastId, reply);
      worker.postMessage({ id: lastId, name, value: values[0] } satisfies Command);
      return reply.promise as never;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
