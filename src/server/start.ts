import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { formatEndpoint } from "../domain/port.ts";
import { createHttpServer } from "../system/http-server.ts";
import { listen } from "../system/listen.ts";
import { createApp } from "./app.ts";
import { type AppContext, type ContextOptions, createContext } from "./context.ts";
import type { Db } from "./db/open.ts";
import { claimDatabase } from "./db/installation-kind.ts";
import { createHolderChecks } from "./features/accounts/account-holders.ts";
import { createAccountDeletions } from "./features/accounts/deletion/account-deletions.ts";
import { createExpiredTokens } from "./features/accounts/tokens/expired-tokens.ts";
import { createNoticeMails } from "./features/accounts/notices/notice-mails.ts";
import type { Passwords } from "./features/accounts/passwords.ts";
import { createEventCollector } from "./features/agent-events/collect-agent-events.ts";
import { createAuditRetention } from "./features/activity/audit-retention.ts";
import { sendAlerts } from "./features/alerts/send-alerts.ts";
import { createClockChecks } from "./features/health/clock-checks.ts";
import { serveServerMetrics } from "./features/health/health-routes.ts";
import { announceNotice, writeNodeKeyNotice } from "./features/accounts/notices/notice-store.ts";
import { createLiveEvents } from "./features/live/live-events.ts";
import { createNodeSharing } from "./features/nodes/share-nodes.ts";
import { createObserver } from "./features/observations/observer.ts";
import { createDeployer } from "./features/peerings/deployment/deployer.ts";
import { confirmNodeKeys } from "./features/peerings/node-keys/confirm-node-keys.ts";
import { followNodeKey } from "./features/peerings/node-keys/follow-node-key.ts";
import { createRekeys } from "./features/peerings/node-keys/follow-rekeys.ts";
import { observeSwitches } from "./features/peerings/node-keys/observe-switches.ts";
import { createNodeReconciler } from "./features/peerings/deployment/node-reconciler.ts";
import { createProbeAddressChecks } from "./features/peerings/probe-addresses.ts";
import { createNodeRemovals } from "./features/peerings/removed-nodes/node-removals.ts";
import { createRemovedNodeChecks } from "./features/peerings/removed-nodes/removed-node-checks.ts";
import { maxWaitMs } from "./features/peerings/deployment/task-store.ts";
import { followNodesFile } from "./nodes/nodes-file.ts";
import { createServerAddressUpdates } from "./nodes/server-addresses.ts";
import { takeOverNodes } from "./nodes/take-over-nodes.ts";
import { createRegistryUpdates } from "./features/registry/registry-updates.ts";

export interface ServerOptions extends Omit<ContextOptions, "maxReadAgeMs"> {
  /** The folder of the built web app. */
  readonly webDir: string;
  /** True if the nodes are simulated and mail is stored instead of sent. */
  readonly demo?: boolean;
  /** Creates the routes that only this installation has, such as the demo's pages. */
  readonly extraRoutes?: (context: AppContext) => Hono;
  /** Fills the database before the server's jobs start. */
  readonly prepareDatabase?: (db: Db) => Promise<void>;
  /** How often the server observes every node for the history; default one minute. */
  readonly observeEveryMs?: number;
  /** How often the server compares every node with the database; default one minute. */
  readonly reconcileEveryMs?: number;
  /** How long a deployment waits for an unreachable node; default two minutes. */
  readonly waitMs?: number;
  /** How often the server observes nodes while a page is open; default five seconds. */
  readonly watchEveryMs?: number;
  /** How passwords are hashed; tests pass a fast way. */
  readonly passwords?: Passwords;
}

export interface RunningServer extends AsyncDisposable {
  /** The address that it listens on, "http://127.0.0.1:4242". */
  readonly url: string;
  /** Null if the metrics are not served. */
  readonly metricsUrl: string | null;
}

const minuteMs = 60_000;
const watchMs = 5_000;

/** How long a stopping server waits for open requests. */
const graceMs = 5_000;

/** Starts the server and resolves when it accepts requests. If a part fails to start, the parts before it are closed. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  await using parts = new AsyncDisposableStack();
  const watchEveryMs = options.watchEveryMs ?? watchMs;
  const context = parts.use(
    await createContext({
      ...options,
      maxReadAgeMs: watchEveryMs / 5,
    }),
  );
  const { environment, db, mailOutbox, nodeReader, pushOutbox } = context;
  await claimDatabase(db, options.demo === true ? "demo" : "provider", environment);
  await takeOverNodes({ ...context, dataDir: environment.dataDir });
  await context.nodes.refresh();
  parts.use(await followNodesFile({ ...context, dataDir: environment.dataDir }));
  await options.prepareDatabase?.(db);
  const signalPush = () => pushOutbox.signal();
  const onNotified = async ([asn = ""]: readonly string[]) => {
    signalPush();
    await announceNotice(context.events, asn);
  };
  const deployer = parts.use(
    createDeployer({
      ...context,
      onFinished: ({ node }) => {
        nodeReader.invalidate(node);
        signalPush();
      },
    }),
  );
  const reconcileEveryMs = options.reconcileEveryMs ?? minuteMs;
  const reconciler = parts.use(
    createNodeReconciler({
      ...context,
      everyMs: reconcileEveryMs,
      followKey: (agents, node) => {
        return followNodeKey({ ...context, agents, writeNotice: writeNodeKeyNotice, onNotified }, node);
      },
      collectEvents: createEventCollector({ ...context, minIntervalMs: reconcileEveryMs / 2 }),
    }),
  );
  const nodeSharing = parts.use(createNodeSharing({ ...context, everyMs: reconcileEveryMs }));
  const serverAddresses = parts.use(
    createServerAddressUpdates({ ...context, onAdded: () => nodeSharing.signal() }),
  );
  const observer = parts.use(
    createObserver({
      ...context,
      everyMs: options.observeEveryMs ?? minuteMs,
      onObserved: async (observation) => {
        await confirmNodeKeys(db, observation);
        await observeSwitches(db, observation);
        await sendAlerts({ ...context, onEnqueued: signalPush }, observation);
      },
    }),
  );
  const registryUpdates = context.registryClone
    ? [parts.use(createRegistryUpdates({ ...context, clone: context.registryClone }))]
    : [];
  const clockChecks = parts.use(createClockChecks(context));
  const nodeRemovals = parts.use(createNodeRemovals({ ...context, ...options }));
  const removedNodeChecks = parts.use(createRemovedNodeChecks(context));
  const holderChecks = parts.use(createHolderChecks(context));
  const waitMs = options.waitMs ?? maxWaitMs;
  const probeAddressChecks = parts.use(createProbeAddressChecks({ ...context, waitMs }));
  const rekeys = parts.use(createRekeys({ ...context, waitMs, writeNotice: writeNodeKeyNotice, onNotified }));
  const noticeMails = parts.use(createNoticeMails(context));
  const accountDeletions = parts.use(createAccountDeletions({ ...context, waitMs }));
  const expiredTokens = parts.use(createExpiredTokens(context));
  const auditRetention = parts.use(createAuditRetention(context));
  const live = createLiveEvents({ ...context, watchEveryMs });
  const app = createApp(context, {
    live,
    waitMs,
    webDir: options.webDir,
    demo: options.demo ?? false,
    passwords: options.passwords,
    extraRoutes: options.extraRoutes?.(context) ?? new Hono(),
  });

  const { port, host, metrics } = environment;
  const metricsServer = metrics && parts.use(await serveServerMetrics(context, metrics));
  const serve = getRequestListener(app.fetch);
  const httpServer = createHttpServer((request, response) => void serve(request, response));
  const server = parts.use(await listen(httpServer, { host, port, graceMs }));
  // Closed before the HTTP server, which waits for open streams.
  parts.use(live);

  for (const job of [
    live,
    context.nodes,
    serverAddresses,
    clockChecks,
    nodeRemovals,
    removedNodeChecks,
    deployer,
    reconciler,
    nodeSharing,
    observer,
    mailOutbox,
    pushOutbox,
    holderChecks,
    probeAddressChecks,
    rekeys,
    noticeMails,
    accountDeletions,
    expiredTokens,
    auditRetention,
    ...registryUpdates,
  ])
    job.start();
  const running = parts.move();
  return {
    url: `http://${formatEndpoint(host, server.address.port)}`,
    metricsUrl:
      metrics &&
      metricsServer &&
      `http://${formatEndpoint(metrics.host, metricsServer.address.port)}/metrics`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
