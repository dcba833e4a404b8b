/** A program of a test's own in a host's namespaces: JSON lines in, `{ id, … }`, and JSON lines out. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { LabHost } from "../../src/lab/namespaces.ts";

export interface LabProcess extends AsyncDisposable {
  /** Rejects where the program answers with an error, or ends before it answers. */
  readonly call: (request: object) => Promise<unknown>;
  /** Ends it at once, as `kill -9` does. */
  readonly kill: () => Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/**
 * @param script a file of this folder
 * @param onNotice takes the lines without an id
 */
export function startProcess(
  host: LabHost,
  script: string,
  options: object,
  onNotice: (notice: unknown) => void = () => {},
): LabProcess {
  const child = host.start(process.execPath, path.join(import.meta.dirname, script), JSON.stringify(options));
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  if (!child.stdout) throw new Error(`${script} has no output`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = JSON.parse(line) as Answer | Omit<Answer, "id">;
    if (!("id" in answer)) return onNotice(answer);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.once("exit", () => {
    for (const settle of waiting.values()) {
      settle({ id: 0, error: { name: "Error", message: `${script} ended` } });
    }
  });
  return {
    call: (request) => {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ value, error }) => {
          if (error) reject(Object.assign(new Error(error.message), { name: error.name }));
          else resolve(value);
        });
        child.stdin?.write(`${JSON.stringify({ ...request, id })}\n`);
      });
    },
    kill: async () => {
      const ended = once(child, "exit");
      // The program is the child of what entered the namespaces.
      const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      process.kill(Number(inside.trim()), "SIGKILL");
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.stdin?.end();
      await ended;
    },
  };
}
