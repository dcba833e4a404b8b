import type { Prefix } from "../domain/prefix.ts";
import { type Clock, runEvery } from "./clock.ts";
import { type Router, RouterUnavailableError } from "./drivers/router.ts";
import type { EventStore } from "./events/event-file.ts";
import { openEventLog } from "./events/event-log.ts";
import { createAgentApp, type HandleRequest } from "./http/agent-app.ts";
import { createHandlers, type Handlers, shareReads } from "./http/handlers.ts";
import type { Log } from "./log.ts";
import { createAgentMetrics } from "./metrics/agent-metrics.ts";
import type { PeeringRules } from "./reconcile/apply-desired.ts";
import { monitorDrift } from "./reconcile/drift-monitor.ts";
import { openOtherNodes, type OtherNodesStore } from "./reconcile/other-nodes.ts";
import { openReconciler } from "./reconcile/reconciler.ts";
import { neverPaused, type RepairPause } from "./reconcile/repair-pause.ts";
import type { StateStore } from "./reconcile/state-file.ts";
import type { Resolver } from "./resolve/resolve-endpoint.ts";
import { monitorEndpoints } from "./reconcile/endpoint-monitor.ts";
import { type AcceptedServers, noneAccepted } from "./servers/accepted-servers.ts";

/** An address that the operator accepts is effective within ten seconds. */
const acceptedServersMs = 5_000;

export interface AgentOptions {
  readonly node: string;
  /** The version of the agent's package, if it is installed from one. */
  readonly version?: string;
  /** The agent disposes it. */
  readonly router: Router;
  readonly resolver: Resolver;
  readonly store: StateStore;
  readonly eventStore: EventStore;
  readonly otherNodesStore: OtherNodesStore;
  /** `server_addresses` of the configuration, as prefixes. */
  readonly serverAddresses?: readonly string[];
  /** Without it, the operator has accepted none. */
  readonly acceptedServers?: AcceptedServers;
  /** Without it, repairs are never paused. */
  readonly repairPause?: RepairPause;
  readonly rules: PeeringRules;
  readonly clock: Clock;
  readonly log: Log;
  /** See `AgentAppOptions`. */
  readonly protocol?: number;
}

export interface Agent extends AsyncDisposable {
  /**
   * Handles a request of the contract's `agentCalls`; the host in its URL is ignored.
   *
   * @param clientAddress of the server, if the request came through a socket
   */
  readonly handle: HandleRequest;
  /** Where servers connect from, as far as it is known. */
  readonly serverAddresses: () => readonly Prefix[];
  /** Metrics in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
}

/**
 * Creates the agent of one node. Resolves after the router was given the last confirmed peerings. If the
 * router does not take them, the agent retries at least every minute and the node's health reports it.
 * Disposing finishes the change in progress and rejects the pending ones.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { node, version = "unpackaged", router, store, eventStore, clock, log, resolver } = options;
  const { repairPause = neverPaused } = options;
  const facts = await router.facts();
  const events = await openEventLog({ store: eventStore, clock, log });
  const otherNodes = await openOtherNodes({
    router,
    store: options.otherNodesStore,
    configured: options.serverAddresses ?? [],
    accepted: options.acceptedServers ?? noneAccepted,
    log,
  });
  const rules: PeeringRules = {
    ...options.rules,
    // The server may tell others at any time.
    get providerEndpoints() {
      return [...options.rules.providerEndpoints, ...otherNodes.endpoints()];
    },
  };
  const lookup = { resolver, rules, clock };
  const reconciler = await openReconciler({ router, store, events, log });
  const observed = shareReads(clock, router.observe);
  const observe = () => observed.get();
  const endpointMonitor = monitorEndpoints({ reconciler, observe, lookup, events, clock, log });
  const driftMonitor = monitorDrift({
    reconciler,
    isPaused: async () => {
      // Before the first set, the agent does not know what the router runs.
      const isPaused = reconciler.hasBeenInSync() && (await repairPause.isPaused());
      if (isPaused) await reconciler.exclusive(async () => router.updateSources?.()).catch(ignoreUnavailable);
      return isPaused;
    },
    clock,
  });
  const acceptedServers = runEvery(clock, acceptedServersMs, () => otherNodes.refresh(reconciler.exclusive));
  const metrics = createAgentMetrics(node, version);
  const handlers = createHandlers({
    node,
    version,
    facts,
    router,
    reconciler,
    otherNodes,
    events,
    observed,
    endpointFindings: () => endpointMonitor.findings(),
    pauseFindings: repairPause.findings,
    metrics,
    clock,
    lookup,
    rules,
    log,
    nodeKeys: router.nodeKeys,
  });
  return {
    handle: createAgentApp({ handlers, log, protocol: options.protocol }),
    serverAddresses: otherNodes.servers,
    metrics: async () =>
      metrics.render({
        deletedPeerings: Array.from(reconciler.applied().values()).filter(({ routed }) => !routed).length,
        isInSync: reconciler.outOfSyncFindings().length === 0,
        router: await readRouter(handlers),
      }),
    [Symbol.asyncDispose]: async () => {
      await acceptedServers[Symbol.asyncDispose]();
      await endpointMonitor[Symbol.asyncDispose]();
      await driftMonitor[Symbol.asyncDispose]();
      await reconciler[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await router[Symbol.asyncDispose]();
    },
  };
}

/** The next check tries again. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof RouterUnavailableError)) throw error;
}

/** Null if the router does not respond. */
async function readRouter(handlers: Handlers) {
  const { signal } = new AbortController();
  try {
    const [peerings, health] = await Promise.all([
      handlers.observe(undefined, signal),
      handlers.health(undefined, signal),
    ]);
    return { peerings, health };
  } catch {
    return null;
  }
}
