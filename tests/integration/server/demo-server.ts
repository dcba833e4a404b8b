import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { type DemoOptions, start } from "../../../src/demo/start.ts";
import { readEnvironment } from "../../../src/server/config/environment.ts";
import { freePort } from "../../setup/free-port.ts";
import { createLog } from "../../../src/server/http/log.ts";

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Null: SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
}

export interface DemoServerOptions {
  /** The folder of the built web app; that of the last build unless given. */
  readonly webDir?: string;
  readonly databaseUrl?: string;
  /** How long a deployment waits for a node that cannot be reached. */
  readonly waitMs?: number;
  /** How long the simulated routers take, as a part of what is believable. */
  readonly timeScale?: number;
  /** How often the server looks at every node for its history. */
  readonly observeEveryMs?: number;
  /** How often the server looks at nodes while a page is open. */
  readonly watchEveryMs?: number;
  /** A push service besides those of the browsers, and the way to it. */
  readonly push?: DemoOptions["push"];
  /** Where it logs to; nowhere unless given. */
  readonly log?: Logger;
}

/** The whole demo in this process, on a free port, with routers that are fast unless told otherwise. */
export async function demoServer({
  webDir,
  databaseUrl,
  waitMs,
  timeScale = 0.01,
  observeEveryMs,
  watchEveryMs,
  push,
  log = createLog("silent"),
}: DemoServerOptions = {}): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "peerdeck-demo-"));
  const environment = readEnvironment({
    // Links in mails name the port, so it has to be known before.
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const running = await start(environment, log, {
    timeScale,
    ...(waitMs !== undefined && { waitMs }),
    ...(observeEveryMs !== undefined && { observeEveryMs }),
    ...(watchEveryMs !== undefined && { watchEveryMs }),
    ...(push && { push }),
    ...(webDir !== undefined && { webDir }),
    ...(observeEveryMs !== undefined && { observeEveryMs }),
  });
  return {
    url: running.url,
    dataDir,
    databaseUrl: environment.databaseUrl,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}
