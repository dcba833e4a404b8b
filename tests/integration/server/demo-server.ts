import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { type DemoOptions, start } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { createLog } from "#server/log.ts";

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Null: SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
}

export interface DemoServerOptions {
  /** The folder of the built web app; by default that of the last build. */
  readonly webDir?: string;
  readonly databaseUrl?: string;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs?: number;
  /** The duration of simulated operations as a fraction of a realistic one. */
  readonly timeScale?: number;
  /** How often the server observes every node for its history. */
  readonly observeEveryMs?: number;
  /** How often the server reads nodes while a page is open. */
  readonly watchEveryMs?: number;
  /** Whether the map requests tiles from the tile service. The default is true. */
  readonly hasTiles?: boolean;
  /** A push service besides those of the browsers, and its HTTPS agent. */
  readonly push?: DemoOptions["push"];
  /** Whether the time before the start has a history; by default it has none. */
  readonly withHistory?: boolean;
  /** By default the server does not log. */
  readonly log?: Logger;
}

/** Servers that share a database need the same. */
const testSecret = Buffer.alloc(32, 7).toString("base64");

/** The whole demo in this process, on a free port, by default with fast routers. Its passwords are hashed fast. */
export async function demoServer({
  webDir,
  databaseUrl,
  waitMs,
  timeScale = 0.01,
  observeEveryMs,
  watchEveryMs,
  hasTiles = true,
  push,
  withHistory = false,
  log = createLog("silent"),
}: DemoServerOptions = {}): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-demo-"));
  const environment = readEnvironment({
    // Links in mails contain the port.
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, PEERDECK_SECRET: testSecret }),
  });
  const running = await start(environment, log, {
    timeScale,
    withHistory,
    hasTiles,
    passwords: createFastPasswords(),
    ...(waitMs !== undefined && { waitMs }),
    ...(observeEveryMs !== undefined && { observeEveryMs }),
    ...(watchEveryMs !== undefined && { watchEveryMs }),
    ...(push && { push }),
    ...(webDir !== undefined && { webDir }),
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
