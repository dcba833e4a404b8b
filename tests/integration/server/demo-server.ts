import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { type DemoOptions, start } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { postgresVariables, type TestDatabase } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { createLog } from "#server/log.ts";

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly at: TestDatabase;
}

export interface DemoServerOptions {
  /** The folder of the built web app; by default that of the last build. */
  readonly webDir?: string;
  /** By default a new SQLite database. */
  readonly at?: TestDatabase;
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
  readonly push?: NonNullable<DemoOptions["push"]>;
  /** Whether the time before the start has a history; by default it has none. */
  readonly withHistory?: boolean;
  /** By default the server does not log. */
  readonly log?: Logger;
}

/** The whole demo in this process, on a free port, by default with fast routers. Its passwords are hashed fast. */
export async function demoServer({
  at,
  timeScale = 0.01,
  hasTiles = true,
  withHistory = false,
  log = createLog("silent"),
  ...options
}: DemoServerOptions = {}): Promise<DemoServer> {
  await using parts = new AsyncDisposableStack();
  const dataDir = at?.kind === "sqlite" ? at.dataDir : await mkdtemp(join(scratchFolder(), "peerdeck-demo-"));
  if (at?.kind !== "sqlite") parts.defer(() => rm(dataDir, { recursive: true }));
  const environment = readEnvironment({
    // Links in mails contain the port.
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
    ...(at?.kind === "postgres" && postgresVariables(at.url)),
  });
  const { url } = parts.use(
    await start(environment, log, {
      ...options,
      timeScale,
      withHistory,
      hasTiles,
      passwords: createFastPasswords(),
    }),
  );
  const running = parts.move();
  return {
    url,
    dataDir,
    at: at ?? { kind: "sqlite", dataDir },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
