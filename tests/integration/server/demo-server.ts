import type { Logger } from "pino";
import { type DemoOptions, start } from "#demo/start.ts";
import { createLog } from "#server/log.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { serverEnvironment } from "./profile-server.ts";

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly at: TestDatabase;
}

export interface DemoServerOptions extends DemoOptions {
  /** By default a new SQLite database. */
  readonly at?: TestDatabase;
  /** By default the server does not log. */
  readonly log?: Logger;
}

/** The whole demo in this process, on a free port, by default with fast routers. Its passwords are hashed fast. */
export async function demoServer({
  at,
  log = createLog("silent"),
  ...options
}: DemoServerOptions = {}): Promise<DemoServer> {
  await using parts = new AsyncDisposableStack();
  const environment = await serverEnvironment(at, parts);
  const passwords = createFastPasswords();
  const { url } = parts.use(await start(environment, log, { timeScale: 0.01, passwords, ...options }));
  const running = parts.move();
  const { dataDir } = environment;
  return {
    url,
    dataDir,
    at: at ?? { kind: "sqlite", dataDir },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
