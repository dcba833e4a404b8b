/** A test program in a host's namespaces: JSON lines in, `{ id, … }`, and JSON lines out. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Finding } from "../../src/domain/findings/findings.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { compileCache } from "../support/compile-cache.ts";
import type { NodeProcessOptions } from "./node-process.ts";

export interface HostProcess extends AsyncDisposable {
  /** Rejects if the program returns an error or ends before it responds. */
  readonly call: (request: object) => Promise<unknown>;
  /** Kills the program, like `kill -9`. */
  readonly kill: () => Promise<void>;
}

/** The environment variable with the path of the bundled program, if there is one. */
export const bundleVariable = "PEERDECK_LAB_PROGRAM";
/** Of this folder. */
export const nodeProgram = "node-process.ts";

/** Starts a router's driver, with an agent if the options say so. */
export const startNodeProcess = (
  host: LabHost,
  options: NodeProcessOptions,
  onNotice?: (notice: unknown) => void,
) => startHostProcess(host, process.env[bundleVariable] ?? nodeProgram, options, onNotice);

interface Response {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly cause?: string;
    /** Why the router refused a set, or could not begin it. */
    readonly finding?: Finding;
  };
}

/**
 * @param script a path from this folder
 * @param onNotice called with lines without an id
 */
export function startHostProcess(
  host: LabHost,
  script: string,
  options: object,
  onNotice: (notice: unknown) => void = () => {},
): HostProcess {
  const child = host.start(
    "env",
    `NODE_COMPILE_CACHE=${compileCache.NODE_COMPILE_CACHE}`,
    process.execPath,
    path.resolve(import.meta.dirname, script),
    JSON.stringify(options),
  );
  const pending = new Map<number, (response: Response) => void>();
  let lastId = 0;
  if (!child.stdout) throw new Error(`${script} has no output`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const response = JSON.parse(line) as Response | Omit<Response, "id">;
    if (!("id" in response)) return onNotice(response);
    pending.get(response.id)?.(response);
    pending.delete(response.id);
  });
  child.once("exit", () => {
    for (const settle of pending.values()) {
      settle({ id: 0, error: { name: "Error", message: `${script} ended` } });
    }
  });

  /** The program is the child of the process that enters the namespaces. */
  async function findProgram(): Promise<number> {
    for (;;) {
      const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      const [pid = ""] = inside.trim().split(" ");
      if (pid !== "") return Number(pid);
      await pause(5);
    }
  }

  return {
    call: (request) => {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, ({ value, error }) => {
          if (error) reject(Object.assign(new Error(error.message), error));
          else resolve(value);
        });
        child.stdin?.write(`${JSON.stringify({ ...request, id })}\n`);
      });
    },
    kill: async () => {
      const ended = once(child, "exit");
      process.kill(await findProgram(), "SIGKILL");
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
