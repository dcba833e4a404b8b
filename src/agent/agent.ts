import type { Clock } from "./clock.ts";
import type { Router } from "./drivers/router.ts";
import { createAgentApp } from "./http/agent-app.ts";
import { createHandlers, type Handlers } from "./http/handlers.ts";
import type { Log } from "./log.ts";
import { createAgentMetrics } from "./metrics/agent-metrics.ts";
import { renderMetrics } from "./metrics/prometheus.ts";
import { share } from "./observe/share.ts";
import type { PeeringRules } from "./reconcile/desired-fault.ts";
import { keepSettled } from "./reconcile/keep-settled.ts";
import { openReconciler } from "./reconcile/reconciler.ts";
import type { StateStore } from "./reconcile/state-file.ts";
import type { Resolver } from "./resolve/resolver.ts";
import { watchEndpoints } from "./resolve/watch-endpoints.ts";

export interface AgentOptions {
  readonly node: string;
  /** Closed with the agent. */
  readonly router: Router;
  readonly resolver: Resolver;
  readonly store: StateStore;
  readonly rules: PeeringRules;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Agent extends AsyncDisposable {
  /** Answers a request of the contract's `agentCalls`; the host in its URL is ignored. */
  readonly handle: (request: Request) => Promise<Response>;
  /** What it counted and what runs, in the text form of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/**
 * The agent of one node. Resolves when the last confirmed peerings were given to the router, or could not be
 * (it then tries again, at least every minute, and the node's health says so). Disposing lets the change under
 * way end and refuses those that wait.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { node, router, store, clock, log, rules, resolver } = options;
  const facts = await router.facts();
  const lookup = { resolver, rules, clock };
  const reconciler = await openReconciler({ router, store, log });
  const observed = share(clock, router.observe);
  const watch = watchEndpoints({ reconciler, observe: observed.read, lookup, clock, log });
  const keeper = keepSettled({ reconciler, clock });
  const metrics = createAgentMetrics();
  const handlers = createHandlers({
    node,
    facts,
    router,
    reconciler,
    observed,
    metrics,
    clock,
    lookup,
    rules,
    log,
    nodeKey: facts.publicKey,
  });
  const app = createAgentApp({ handlers, log });
  return {
    handle: async (request) => app.fetch(request),
    metrics: async () =>
      renderMetrics({
        node,
        metrics,
        deletedPeerings: Array.from(reconciler.held().values()).filter(({ routed }) => !routed).length,
        settled: reconciler.unsettled() === null,
        router: await askRouter(handlers),
      }),
    [Symbol.asyncDispose]: async () => {
      await watch[Symbol.asyncDispose]();
      await keeper[Symbol.asyncDispose]();
      await reconciler[Symbol.asyncDispose]();
      await router[Symbol.asyncDispose]();
    },
  };
}

async function askRouter(handlers: Handlers) {
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
