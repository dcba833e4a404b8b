/** `npm start` as a shell starts it, and the processes that run because of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { waitFor } from "../support/wait-for.ts";
import { isResponding } from "./open-request.ts";

/** It has a process group of its own. */
export interface RunningStart extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The IDs of the running processes: npm and all that it has started. */
  readonly processes: () => Promise<readonly number[]>;
  readonly exited: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  readonly kill: (receiver: "npm" | "all", signal: NodeJS.Signals) => void;
}

/** Resolves when the server responds. Rejects if `npm start` ends before. */
export async function startNpm(
  cwd: string,
  port: number,
  env: Record<string, string>,
): Promise<RunningStart> {
  const child = spawn("npm", ["start"], { cwd, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
  const npm = child.pid ?? 0;
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const running: RunningStart = {
    url: `http://127.0.0.1:${port}`,
    port,
    exited,
    processes: () => processesOfGroup(npm),
    kill: (receiver, signal) => process.kill(receiver === "npm" ? npm : -npm, signal),
    [Symbol.asyncDispose]: async () => {
      if ((await processesOfGroup(npm)).length > 0) process.kill(-npm, "SIGKILL");
      await waitFor(async () => expect(await processesOfGroup(npm)).toEqual([]));
    },
  };
  // `npm start` may build the web app first, so this may take minutes.
  while (!(await isResponding(running.url))) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`npm start ended with ${end}: ${errors}`);
    await pause(50);
  }
  return running;
}

async function processesOfGroup(group: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
  const groups = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      // After the command in parentheses: the state, the parent, the group.
      const [state = "", , own = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state !== "Z" && Number(own) === group ? [Number(name)] : [];
    }),
  );
  return groups.flat();
}
