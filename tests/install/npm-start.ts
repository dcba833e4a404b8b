/** Commands of npm that start a server, as a shell starts them, and the processes that run because of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { waitFor } from "../support/wait-for.ts";
import { isResponding } from "./open-request.ts";

/** Starts npm in a process group of its own. Resolves when the server responds, and rejects if npm ends before. */
export async function startNpm(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, port, env }: { readonly cwd: string; readonly port: number; readonly env: Record<string, string> },
) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
  const npm = child.pid ?? 0;
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const url = `http://127.0.0.1:${port}`;
  // `npm start` may build the web app first, so this may take minutes.
  while (!(await isResponding(url))) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`${program} ended with ${end}: ${errors}`);
    await pause(50);
  }
  return {
    url,
    port,
    exited,
    /** The IDs of the running processes: npm and all that it has started. */
    processes: () => processesOfGroup(npm),
    kill: (receiver: "npm" | "all", signal: NodeJS.Signals) =>
      process.kill(receiver === "npm" ? npm : -npm, signal),
    [Symbol.asyncDispose]: async () => {
      if ((await processesOfGroup(npm)).length > 0) process.kill(-npm, "SIGKILL");
      await waitFor(async () => expect(await processesOfGroup(npm)).toEqual([]));
    },
  };
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
