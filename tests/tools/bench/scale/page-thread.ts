/**
 * The thread of the pages: the event streams of participants, and submits that all of them send at once. It is a thread of its
 * own, so that it does not delay the reads that the main one measures. `pages.ts` starts it.
 */
import { Agent, type ClientRequest, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import type { Task } from "#contract/entities.ts";
import { livePath } from "#contract/live-events.ts";
import type { Installation } from "./installation.ts";
import { createParticipants } from "./participants.ts";

export interface Submission {
  readonly asn: string;
  readonly node: string;
  readonly number: number;
}

export interface Answer {
  /** Null if the server refused the submit. */
  readonly taskID: string | null;
  readonly answeredMs: number;
}

const { url, cookies } = workerData as Pick<Installation, "url" | "cookies">;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const participants = createParticipants({ url, cookies });
const ends = new Map<string, number>();
const streams: ClientRequest[] = [];

/** What the main thread may call. */
const commands = {
  /** Opens a stream for each AS, and resolves when each has its first event. */
  open: async (asns: readonly string[]) => {
    for (let from = 0; from < asns.length; from += 100)
      await Promise.all(asns.slice(from, from + 100).map(openStream));
  },
  submit: async (submissions: readonly Submission[]): Promise<readonly Answer[]> => {
    const startedAt = performance.now();
    return Promise.all(
      submissions.map(async ({ asn, node, number }) => {
        const task = await participants.submit(asn, node, number).catch(() => null);
        return { taskID: task && task.taskID, answeredMs: performance.now() - startedAt };
      }),
    );
  },
  /** When the ends of tasks arrived, by the system's clock in milliseconds, by ID. */
  ends: async (): Promise<ReadonlyMap<string, number>> => ends,
  close: async () => {
    for (const stream of streams.splice(0)) stream.destroy();
  },
};
export type Commands = typeof commands;

function openStream(asn: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: cookies.get(asn) ?? "" };
    const stream = request(`${url}${livePath}`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream: ${response.statusCode}`));
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        resolve();
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        blocks.forEach(noteEvent);
      });
      response.on("error", () => undefined);
    });
    stream.on("error", reject);
    stream.end();
    streams.push(stream);
  });
}

function noteEvent(block: string): void {
  const [, data] = /^event: task\ndata: (.*)$/m.exec(block) ?? [];
  if (data === undefined) return;
  const { taskID, status } = JSON.parse(data) as Task;
  if (status !== "waiting") ends.set(taskID, Date.now());
}

export interface Command {
  readonly id: number;
  readonly name: keyof Commands;
  readonly value: unknown;
}

parentPort?.on("message", ({ id, name, value }: Command) => {
  commands[name](value as never).then(
    (result) => parentPort?.postMessage({ id, result }),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) }),
  );
});
