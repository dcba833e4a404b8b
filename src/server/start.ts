import { once } from "node:events";
import { Agent } from "node:https";
import { join } from "node:path";
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
import { tellAlerts } from "./features/alerts/tell-alerts.ts";
import { createDeployer } from "./features/deployments/deployer.ts";
import { longestWaitMs } from "./features/deployments/tasks.ts";
import { createReconciler } from "./features/deployments/reconcile.ts";
import { createOutbox, type Outbox } from "./features/mail/outbox.ts";
import { smtpDelivery } from "./features/mail/smtp.ts";
import { createLive } from "./features/live/live.ts";
import { createAgents } from "./features/nodes/agents.ts";
import { createObserver } from "./features/observations/observer.ts";
import { createQueryLimits } from "./features/nodes/query-limits.ts";
import { createPushRequest } from "./features/push/push-request.ts";
import { openPushKeys } from "./features/push/push-keys.ts";
import { createPushSender } from "./features/push/sender.ts";
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
  /** How often nodes are looked at while a page is open; five seconds unless a test is in a hurry. */
  readonly watchEveryMs?: number;
  /** The way to the push services, for tests that have one of their own. */
  readonly pushAgent?: Agent;
}

export interface RunningServer extends AsyncDisposable {
  /** Where it listens, "http://127.0.0.1:4242". */
  readonly url: string;
}

const clock = () => Date.now();

const minuteMs = 60_000;
const watchMs = 5_000;

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
  const pushKeys = await openPushKeys(db);
  const pushAgent = options.pushAgent ?? new Agent({ keepAlive: true });
  parts.defer(() => pushAgent.destroy());
  const subject = `mailto:${profile.supportAddress}`;
  const pushSender = parts.use(
    createPushSender({
      db,
      locks,
      clock,
      log,
      pushHosts: profile.pushHosts,
      send: createPushRequest({ keys: pushKeys, subject, agent: pushAgent }),
    }),
  );
  const onEnded = () => pushSender.wake();
  const deployer = parts.use(createDeployer({ db, events, locks, agents, clock, log, onEnded }));
  const reconciler = parts.use(createReconciler({ db, agents, locks, log, clock }));
  const observer = parts.use(
    createObserver({
      db,
      agents,
      locks,
      clock,
      log,
      everyMs: options.observeEveryMs ?? minuteMs,
      onObserved: (turn) => tellAlerts({ db, log, onTold: () => pushSender.wake() }, turn),
    }),
  );

  const watchEveryMs = options.watchEveryMs ?? watchMs;
  const live = createLive({ db, events, agents, sessions, log, watchEveryMs });

  const app = createApp({
    db,
    events,
    profile,
    agents,
    registry,
    outbox,
    sessions,
    live,
    clock,
    log,
    passwords: createPasswords(),
    familiarClients: createFamiliarClients(),
    accountLimits: createLimits(),
    limits: createQueryLimits(),
    waitMs: options.waitMs ?? longestWaitMs,
    pushPublicKey: pushKeys.publicKey,
    holdsAddress: (asn, address) => registry.holds(asn, address),
    webDir: options.webDir,
    formerFilesDir: join(environment.dataDir, "former-web"),
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
  // Before the server: it waits for what is open.
  parts.use(live);

  live.start();
  deployer.start();
  reconciler.start();
  observer.start();
  outbox.start();
  pushSender.start();
  const running = parts.move();
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : environment.port;
  return { url: `http://${environment.host}:${port}`, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
