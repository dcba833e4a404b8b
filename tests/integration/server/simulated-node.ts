import type { Clock } from "#agent/clock.ts";
import {
  createMemoryEventStore,
  createMemoryNodesStore,
  createMemoryStore,
} from "#agent/fixtures/memory-store.ts";
import { rules } from "#agent/fixtures/peerings.ts";
import { silentLog } from "#agent/fixtures/silent-log.ts";
import { createInProcessTransport, createSimulatedAgent } from "#agent/simulated-agent.ts";
import type { Transport } from "#contract/client.ts";

export interface SimulatedNode extends AsyncDisposable {
  readonly transport: Transport;
}

/**
 * A node with a simulated router that forgets everything when it is closed.
 *
 * @param timeScale the duration of the router's pauses; 0 for none
 */
export async function openSimulatedNode(
  node: string,
  { clock, timeScale }: { readonly clock: Clock; readonly timeScale: number },
): Promise<SimulatedNode> {
  const agent = await createSimulatedAgent({
    node,
    nodes: [node],
    store: createMemoryStore(),
    eventStore: createMemoryEventStore(),
    otherNodesStore: createMemoryNodesStore(),
    rules,
    clock,
    log: silentLog,
    timeScale,
  });
  return {
    transport: createInProcessTransport(agent.handle, 60_000),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}
