/** The demo as a separate process, which a test can kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface DemoProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts the demo as a separate process and waits until it logs its URL. */
export async function startDemoProcess(environment: Readonly<Record<string, string>>): Promise<DemoProcess> {
  const child = spawn(process.execPath, ["src/main.ts"], {
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
