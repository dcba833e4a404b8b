/** Programs of the product in a host, each in its own process with a log file. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LabError } from "../network.ts";
import type { LabHost } from "./namespaces.ts";

const root = join(import.meta.dirname, "../../..");

export interface LabProgram {
  /** Ends the program with SIGTERM, and resolves when it has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a script of this project. Resolves when the script logs the `ready` message; rejects if it ends
 * before. Its output goes to the log file in the host's folder.
 *
 * @param script its path from the project's root
 * @param log the name of the log file
 */
export async function startProgram(
  host: LabHost,
  script: string,
  {
    environment = {},
    args = [],
    log,
    ready,
  }: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly log: string;
    readonly ready: string;
  },
): Promise<LabProgram> {
  const path = join(host.folder, log);
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // The shell replaces itself with the program and writes its errors to the log as well.
  const child = host.start(
    "env",
    ...settings,
    "sh",
    "-c",
    'exec "$@" 2>&1',
    "sh",
    process.execPath,
    join(root, script),
    ...args,
  );
  if (!child.stdout) throw new Error("the program has no standard output");
  const file = createWriteStream(path, { flags: "a" });
  child.stdout.pipe(file);
  const ended = once(child, "exit").then(() => {
    throw new LabError(`${script} ended in ${host.name} before it was ready. Its log is ${path}`);
  });
  await Promise.race([waitForLine(child.stdout, ready), ended]);
  ended.catch(() => {});
  return {
    stop: async () => {
      const exited = once(child, "exit");
      // The program is the child of the process that entered the namespaces.
      const inside = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      process.kill(Number(inside.trim()), "SIGTERM");
      await exited;
    },
  };
}

function waitForLine(output: NodeJS.ReadableStream, ready: string): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on("line", (line) => {
      if (line.includes(ready)) resolve();
    });
  });
}
