/** Programs of the product in a host, each in its own process with a log file. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LabError } from "../network.ts";
import type { LabHost } from "./namespaces.ts";

const root = join(import.meta.dirname, "../../..");

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
): Promise<void> {
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
  const file = createWriteStream(path);
  child.stdout.pipe(file);
  const ended = once(child, "exit").then(() => {
    throw new LabError(`${script} ended in ${host.name} before it was ready. Its log is ${path}`);
  });
  await Promise.race([waitForLine(child.stdout, ready), ended]);
  ended.catch(() => {});
}

function waitForLine(output: NodeJS.ReadableStream, ready: string): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on("line", (line) => {
      if (line.includes(ready)) resolve();
    });
  });
}
