/** A program of the product in a host, as a process of its own whose log is a file. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LabError } from "./network.ts";
import type { LabHost } from "./namespaces.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Starts a script of this project and resolves when it logs that message; rejects when it ends before.
 * What it prints goes to `<script's log>` in the host's folder.
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
  // The shell ends with the program that it becomes, and its errors are in the log as well.
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
  if (!child.stdout) throw new Error("the program has no output");
  const file = createWriteStream(path);
  child.stdout.pipe(file);
  const ended = once(child, "exit").then(() => {
    throw new LabError(`${script} ended in ${host.name} before it was ready. Its log is ${path}`);
  });
  await Promise.race([saidReady(child.stdout, ready), ended]);
  ended.catch(() => {});
}

function saidReady(output: NodeJS.ReadableStream, ready: string): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on("line", (line) => {
      if (line.includes(ready)) resolve();
    });
  });
}
