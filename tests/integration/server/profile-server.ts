import { join } from "node:path";
import type { Transport } from "#contract/client.ts";
import { type DemoNodes, startDemoNodes } from "#demo/nodes.ts";
import { demoPages } from "#demo/pages.ts";
import { type Environment, readEnvironment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { createLog } from "#server/log.ts";
import { type ServerOptions, startServer } from "#server/start.ts";
import { postgresVariables, type TestDatabase } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { repository } from "../../support/repository.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";

export interface ProfileServer extends AsyncDisposable {
  /** Where the first server listens. */
  readonly url: string;
  /** Where each server listens. */
  readonly urls: readonly string[];
  readonly dataDir: string;
  /** The log lines of all servers so far, parsed. */
  readonly log: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

export interface ProfileServerOptions extends Pick<
  ServerOptions,
  | "waitMs"
  | "watchEveryMs"
  | "observeEveryMs"
  | "reconcileEveryMs"
  | "databaseLimits"
  | "syncFile"
  | "limitNumbers"
  | "protocol"
> {
  /** By default a new SQLite database. */
  readonly at?: TestDatabase;
  /** Several servers share one PostgreSQL database and the nodes. */
  readonly servers?: number;
  /** The only nodes that can be reached; by default all of the demo, simulated. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Wraps the transport to each node. */
  readonly through?: (agent: Transport, node: string) => Transport;
  /** The duration of simulated operations as a fraction of a realistic one. */
  readonly timeScale?: number;
  /** More of the profile. */
  readonly profile?: Partial<Profile>;
}

/** For tests that disturb PostgreSQL: on a busy machine a connection can take longer than the default allows. */
export const patientLimits = { connectMs: 10_000 };

export const demoProfile = await readProfile(join(repository, "src/demo/provider.toml"));

/** The environment of a server in this process. The stack owns its folder, unless the test has one with a database. */
export async function serverEnvironment(
  at: TestDatabase | undefined,
  parts: AsyncDisposableStack,
): Promise<Environment> {
  const dataDir =
    at?.kind === "sqlite" ? at.dataDir : await createScratchFolder((remove) => parts.defer(remove));
  return readEnvironment({
    // Links in mails contain the port.
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    ...(at?.kind === "postgres" && postgresVariables(at.url)),
  });
}

/**
 * A provider's server in this process, with the demo's nodes, a profile with these public facts, and the pages of the demo
 * for mails and for the modes of nodes.
 */
export async function profileServer(
  facts: Partial<Profile["facts"]> = {},
  options: ProfileServerOptions = {},
): Promise<ProfileServer> {
  const { at, servers = 1, through = (agent) => agent, timeScale = 0.01, ...serverOptions } = options;
  await using parts = new AsyncDisposableStack();
  const environment = await serverEnvironment(at, parts);
  const { dataDir } = environment;
  const profile: Profile = {
    ...demoProfile,
    publicUrl: `http://127.0.0.1:${environment.port}`,
    facts: { ...demoProfile.facts, ...facts },
    ...options.profile,
  };
  const { transports, switches }: Pick<DemoNodes, "transports" | "switches"> = options.transports
    ? { transports: options.transports, switches: [] }
    : parts.use(await startDemoNodes({ profile, dataDir, log: createLog("silent"), timeScale }));
  const wrapped = new Map(Array.from(transports, ([node, agent]) => [node, through(agent, node)]));
  const lines: Array<Record<string, unknown>> = [];
  const urls: string[] = [];
  while (urls.length < servers) {
    const running = await startServer({
      ...serverOptions,
      environment: { ...environment, port: urls.length === 0 ? environment.port : await freePort() },
      profile,
      openTransport: ({ name }) => wrapped.get(name) ?? null,
      webDir: join(repository, "build/web"),
      log: createLog("trace", {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      }),
      passwords: createFastPasswords(),
      extraRoutes: (outbox) => demoPages(outbox, switches),
    });
    parts.use(running);
    urls.push(running.url);
  }
  const all = parts.move();
  const [url = ""] = urls;
  return { url, urls, dataDir, log: lines, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
