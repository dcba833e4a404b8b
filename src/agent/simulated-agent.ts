import type { Transport } from "../contract/client.ts";
import { type Agent, type AgentOptions, createAgent } from "./agent.ts";
import {
  createSimulatedRouter,
  type SimulatedRouterOptions,
  type SimulationMode,
} from "./drivers/simulated/simulated-router.ts";
import { simulatedResolver } from "./drivers/simulated/simulated-resolver.ts";

export type SimulatedAgentOptions = Omit<AgentOptions, "router" | "resolver"> &
  Omit<SimulatedRouterOptions, "providerAsn">;

export interface SimulatedAgent extends Agent {
  readonly mode: () => SimulationMode;
  readonly setMode: (mode: SimulationMode) => void;
}

/**
 * Creates an agent with a simulated router and resolver. In mode `offline`, `handle` rejects like a
 * connection to an unreachable host. In mode `silent` it never settles, like a hung host, and the caller runs
 * into its timeout.
 */
export async function createSimulatedAgent(options: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const router = createSimulatedRouter({ ...options, providerAsn: options.rules.providerAsn });
  const agent = await createAgent({ ...options, router, resolver: simulatedResolver });
  return {
    mode: router.mode,
    setMode: router.setMode,
    handle: async (request, clientAddress) => {
      assertReachable(options.node, router.mode());
      if (router.mode() === "silent") return new Promise<never>(() => undefined);
      const response = await agent.handle(request, clientAddress);
      assertReachable(options.node, router.mode());
      return response;
    },
    serverAddresses: agent.serverAddresses,
    metrics: agent.metrics,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

function assertReachable(node: string, mode: SimulationMode): void {
  if (mode !== "offline") return;
  throw Object.assign(new Error(`connect EHOSTUNREACH ${node} (simulated)`), { code: "EHOSTUNREACH" });
}

/**
 * Creates a transport to an agent in the same process. Rejects with a `TimeoutError` after `timeoutMs`, and
 * with the caller's reason when its signal aborts. Work that the agent has started continues, as on a remote
 * agent.
 */
export function createInProcessTransport(handle: Agent["handle"], timeoutMs: number): Transport {
  return async ({ method, path, headers, body, signal: callerSignal }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = callerSignal instanceof AbortSignal ? AbortSignal.any([timeout, callerSignal]) : timeout;
    const request = new Request(`http://agent${path}`, {
      method,
      headers,
      signal,
      ...(body !== null && { body }),
    });
    const finished = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), {
        once: true,
        signal: finished.signal,
      });
      if (signal.aborted) reject(signal.reason as Error);
    });
    try {
      const response = await Promise.race([handle(request), aborted]);
      const header = (name: string) => response.headers.get(name);
      return { status: response.status, header, text: () => response.text() };
    } finally {
      finished.abort();
    }
  };
}
