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
 * An agent over a simulated router and simulated names. While its mode is `offline`, `handle` rejects as a
 * connection to a machine that is not there does: no answer comes, not even an error. While it is `silent`, it
 * does not even do that: whoever asks waits until their own time is up, as with a host that hangs.
 */
export async function createSimulatedAgent(options: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const router = createSimulatedRouter({ ...options, providerAsn: options.rules.providerAsn });
  const agent = await createAgent({ ...options, router, resolver: simulatedResolver });
  return {
    mode: router.mode,
    setMode: router.setMode,
    handle: async (request) => {
      assertReachable(options.node, router.mode());
      if (router.mode() === "silent") return new Promise<never>(() => undefined);
      const response = await agent.handle(request);
      assertReachable(options.node, router.mode());
      return response;
    },
    metrics: agent.metrics,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

function assertReachable(node: string, mode: SimulationMode): void {
  if (mode !== "offline") return;
  throw Object.assign(new Error(`connect EHOSTUNREACH ${node} (simulated)`), { code: "EHOSTUNREACH" });
}
