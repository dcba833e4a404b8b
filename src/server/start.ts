import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { Transport } from "../contract/client.ts";
import { createApp } from "./app.ts";
import type { Environment } from "./config/environment.ts";
import type { Profile } from "./config/profile.ts";
import { openDatabase } from "./db/open.ts";
import { createFamiliarClients } from "./features/accounts/familiar-clients.ts";
import { createLimits } from "./features/accounts/limits.ts";
import { createPasswords } from "./features/accounts/passwords.ts";
import { createSessions } from "./features/accounts/sessions.ts";
import { createDeployer } from "./features/deployments/deployer.ts";
import { longestWaitMs } from "./features/deployments/tasks.ts";
import { createReconciler } from "./features/deployments/reconcile.ts";
import { createOutbox, type Outbox } from "./features/mail/outbox.ts";
import { smtpDelivery } from "./features/mail/smtp.ts";
import { createAgents } from "./features/nodes/agents.ts";
import { createObserver } from "./features/observations/observer.ts";
import { createQueryLimits } from "./features/nodes/query-limits.ts";
import { createRegistry } from "./features/registry/registry.ts";

export interface ServerOptions {
  readonly environment: Environment;
  readonly profile: Profile;
  /** The way to each node's agent, by node name. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly webDir: string;
  readonly log: Logger;
  readonly demo?: boolean;
  /** Routes of this deployment alone. */
  readonly extraRoutes?: (outbox: Outbox) => Hono;
  /** How often every node is looked at for the history; a minute unless given. */
  readonly observeEveryMs?: number;
  /** How long a deployment waits for a node that cannot be reached; two minutes unless a test is in a hurry. */
  readonly waitMs?: number;
}

export interface RunningServer extends AsyncDisposable {
  /** Where it listens, "http://127.0.0.1:4242". */
  readonly url: string;
}

const clock = () => Date.now();

const minuteMs = 60_000;

/** How long requests under way may go on after the server was asked to stop. */
const graceMs = 5_000;

/** Starts everything and answers when requests are served. What was started is closed when a later part fails. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { environment, profile, log } = options;
  await using parts = new AsyncDisposableStack();
  const onError = (error: unknown) => log.error({ err: error }, "database events");
  const database = parts.use(
    await openDatabase({ dataDir: environment.dataDir, url: environment.databaseUrl, onError }),
  );
  const { db, events, locks } = database;

  const agents = createAgents(options.transports);
  const registry = createRegistry({ ...profile.registry, clock });
  const deliver = profile.mail && smtpDelivery(profile.mail);
  const outbox = parts.use(createOutbox({ db, locks, clock, log, deliver }));
  const sessions = createSessions({ db, events, clock });
  const deployer = parts.use(createDeployer({ db, events, locks, agents, clock, log }));
  const reconciler = parts.use(createReconciler({ db, agents, locks, log, clock }));
  const observer = parts.use(
    createObserver({ db, agents, locks, clock, log, everyMs: options.observeEveryMs ?? minuteMs }),
  );

  const app = createApp({
    db,
    events,
    profile,
    agents,
    registry,
    outbox,
    sessions,
    clock,
    log,
    passwords: createPasswords(),
    familiarClients: createFamiliarClients(),
    accountLimits: createLimits(),
    limits: createQueryLimits(),
    waitMs: options.waitMs ?? longestWaitMs,
    holdsAddress: (asn, address) => registry.holds(asn, address),
    webDir: options.webDir,
    demo: options.demo ?? false,
    extraRoutes: options.extraRoutes?.(outbox) ?? new Hono(),
  });

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(environment.port, environment.host);
  await once(server, "listening");
  parts.defer(async () => {
    const closed = once(server, "close");
    server.close();
    const grace = setTimeout(() => "closeAllConnections" in server && server.closeAllConnections(), graceMs);
    if ("closeIdleConnections" in server) server.closeIdleConnections();
    await closed;
    clearTimeout(grace);
  });

  deployer.start();
  reconciler.start();
  observer.start();
  outbox.start();
  const running = parts.move();
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : environment.port;
  return { url: `http://${environment.host}:${port}`, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
