import type { Agent } from "node:https";
import { join } from "node:path";
import type { Logger } from "pino";
import { createSimulatedRoutes, type RegisteredRoute } from "../agent/drivers/simulated/routes.ts";
import type { Environment } from "../server/config/environment.ts";
import type { Profile } from "../server/config/profile.ts";
import { readProfile } from "../server/config/profile-file.ts";
import { assertInstallationKind } from "../server/db/installation-kind.ts";
import type { Db } from "../server/db/open.ts";
import { lockFolder } from "../server/db/sqlite/folder-lock.ts";
import type { Passwords } from "../server/features/accounts/passwords.ts";
import { createFolderSource } from "../server/registry/registry-source.ts";
import { createRegistry } from "../server/registry/registry.ts";
import { type RunningServer, startServer } from "../server/start.ts";
import { seedHistory } from "./history/seed-history.ts";
import { createRouteCounter, createSimulatedPast, type SimulatedPast } from "./history/simulated-past.ts";
import { chooseNeighbours, type Neighbours, seedNeighbours } from "./neighbours.ts";
import { startDemoNodes } from "./nodes.ts";
import { demoPages } from "./pages.ts";
import { readSampleRoutes } from "./sample-routes.ts";

export interface DemoOptions {
  /** The folder of the built web app; the last build by default. */
  readonly webDir?: string;
  /** The length of a simulated second in seconds; 1 is realistic. */
  readonly timeScale?: number;
  /** How long a deployment waits for an unreachable node. */
  readonly waitMs?: number;
  /** How often the server observes every node. */
  readonly observeEveryMs?: number;
  /** How often the server observes nodes while a page is open. */
  readonly watchEveryMs?: number;
  /** An additional push service, and the HTTPS agent to reach it. */
  readonly push?: { readonly hosts: readonly string[]; readonly agent: Agent };
  /** Whether the time before the start has a history, and other participants peerings, as if the nodes had run all the time. */
  readonly withHistory?: boolean;
  /** Whether the map requests tiles from the tile service. The default is true. */
  readonly hasTiles?: boolean;
  /** How passwords are hashed; tests pass a fast way. */
  readonly passwords?: Passwords;
}

/** Short, so that a user of the demo sees a curve before the first minute is over. */
const observeEveryMs = 10_000;

/** Starts the complete demo: the server and, in the same process, the agents of six simulated nodes. */
export async function start(
  environment: Environment,
  log: Logger,
  options: DemoOptions = {},
): Promise<RunningServer> {
  const { host, port, dataDir } = environment;
  await assertInstallationKind(environment, "demo");
  const read = await readProfile(join(import.meta.dirname, "provider.toml"));
  const profile: Profile = {
    ...read,
    publicUrl: `http://${host}:${port}`,
    ...(options.push && { pushHosts: options.push.hosts }),
    ...(options.hasTiles === false && {
      facts: { ...read.facts, map: { tiles: "", attribution: "", attribution_url: "" } },
    }),
  };
  await using parts = new AsyncDisposableStack();
  // Before the simulated nodes, which store their state in the folder.
  if (environment.databaseUrl === null) parts.use(await lockFolder(dataDir));
  const registryPath = join(import.meta.dirname, "registry");
  const registered = await readSampleRoutes(registryPath);
  const neighbours = options.withHistory === true ? chooseNeighbours(profile, registered) : undefined;
  const nodes = await startDemoNodes({
    profile,
    dataDir,
    log,
    timeScale: options.timeScale ?? 1,
    registered,
    ...(neighbours && { neighbours }),
  });
  parts.use(nodes);
  const running = parts.use(
    await startServer({
      environment,
      profile,
      openTransport: ({ name }) => nodes.transports.get(name) ?? null,
      webDir: options.webDir ?? join(import.meta.dirname, "../../build/web"),
      log,
      demo: true,
      observeEveryMs: options.observeEveryMs ?? observeEveryMs,
      ...(neighbours && {
        prepareDatabase: async (db: Db) => {
          const now = Date.now();
          await seedHistory(db, createPasts(profile, registered, neighbours), now);
          const source = createFolderSource(registryPath);
          const registry = createRegistry({ source, maxAgeDays: Infinity, clock: Date.now });
          await seedNeighbours(db, { profile, registry, neighbours, now });
        },
      }),
      extraRoutes: (context) => demoPages(context, nodes.switches),
      ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
      ...(options.watchEveryMs !== undefined && { watchEveryMs: options.watchEveryMs }),
      ...(options.push && { pushAgent: options.push.agent }),
      ...(options.passwords && { passwords: options.passwords }),
    }),
  );
  const all = parts.move();
  const { url, metricsUrl } = running;
  return { url, metricsUrl, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

function createPasts(
  { nodes, asn: providerAsn }: Profile,
  registered: readonly RegisteredRoute[],
  neighbours: Neighbours,
): ReadonlyMap<string, SimulatedPast> {
  const routes = createSimulatedRoutes({ node: "", providerAsn, registered, neighbours });
  const countRoutes = createRouteCounter(routes);
  return new Map(nodes.map(({ name }) => [name, createSimulatedPast(name, countRoutes)]));
}

/** Returns the welcome text of `npm start`. */
export function welcome(url: string, dataDir: string): string {
  return [
    "",
    `  Peerdeck demo   ${url}`,
    `  Demo mail       ${url}/demo/outbox`,
    `  Make nodes fail ${url}/demo`,
    `  Data            ${dataDir}`,
    "",
    "  Register as AS4242420001 and follow the link in the demo mail.",
    "",
    "",
  ].join("\n");
}
