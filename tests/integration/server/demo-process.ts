/** The demo as a separate process, which a test can kill. */
import { serverProgram } from "../../support/built-programs.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface DemoProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

/**
 * Starts the demo as a separate process and waits until it logs its URL.
 *
 * @param wrapper a command that replaces itself by the one that follows
 */
export async function startDemoProcess(
  environment: Readonly<Record<string, string>>,
  wrapper: readonly string[] = [],
): Promise<DemoProcess> {
  const [program, ...args] = [...wrapper, process.execPath, serverProgram, "demo"];
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, child };
  }
  throw new Error("the server ended before it listened");
}
