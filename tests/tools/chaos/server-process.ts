import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repository } from "../../support/repository.ts";

export interface ServerProcess {
  /** Kills the process without a chance to finish. */
  readonly kill: () => Promise<void>;
  /** Ends the process cleanly. */
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  readonly port: number;
  readonly dataDir: string;
  /** The folder of a built web app. */
  readonly webDir: string;
}

/** Starts the demo as a process, and resolves when it listens. */
export async function startServer({ port, dataDir, webDir }: ServerOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "server-program.ts")], {
    cwd: repository,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      WEB_DIR: webDir,
      LOG_LEVEL: "silent",
      // A sequence starts the server a few times, which needs a third less of a processor with compiled modules.
      NODE_COMPILE_CACHE: join(repository, "build/chaos/compile-cache"),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  await waitUntilReady(child);
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return { kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error("the server has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "ready") return;
  }
  throw new Error("the server ended before it was ready");
}
