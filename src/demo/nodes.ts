import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "../agent/clock.ts";
import { createStateFile } from "../agent/reconcile/state-file.ts";
import {
  createSimulatedAgent,
  type SimulatedAgent,
  createInProcessTransport,
} from "../agent/simulated-agent.ts";
import type { Transport } from "../contract/client.ts";
import type { Profile } from "../server/config/profile.ts";

/** A simulated node and the switch of its mode. */
export type DemoNode = Pick<SimulatedAgent, "mode" | "setMode"> & { readonly name: string };

export interface DemoNodes extends AsyncDisposable {
  readonly transports: ReadonlyMap<string, Transport>;
  readonly switches: readonly DemoNode[];
}

export interface DemoNodesOptions {
  readonly profile: Profile;
  readonly dataDir: string;
  readonly log: Logger;
  /** The length of a simulated second in seconds. */
  readonly timeScale: number;
}

/** Longer than any timeout of the server. */
const agentTransportTimeoutMs = 60_000;

/** Starts an agent with a simulated router for every node of the profile, and creates transports to them. */
export async function startDemoNodes({
  profile,
  dataDir,
  log,
  timeScale,
}: DemoNodesOptions): Promise<DemoNodes> {
  await using parts = new AsyncDisposableStack();
  const agents = new Map<string, SimulatedAgent>();
  const names = profile.nodes.map(({ name }) => name);
  // In parallel: each agent applies its stored state first, which takes a moment.
  const started = await Promise.allSettled(
    names.map(async (node) => {
      const agent = await createSimulatedAgent({
        node,
        nodes: names,
        reachable: (other) => {
          const mode = agents.get(other)?.mode();
          return mode !== "offline" && mode !== "silent";
        },
        store: createStateFile(join(dataDir, "agents", node), node),
        rules: {
          providerAsn: profile.asn,
          allowDocumentation: profile.allowDocumentation,
          providerEndpoints: profile.nodes.flatMap(({ endpoints }) => endpoints),
          providerPrefixes: profile.prefixes,
        },
        clock: systemClock,
        timeScale,
        log: log.child({ node }),
      });
      return { node, agent: parts.use(agent) };
    }),
  );
  for (const result of started) {
    if (result.status === "rejected") throw result.reason;
    agents.set(result.value.node, result.value.agent);
  }
  const running = parts.move();
  return {
    transports: new Map(
      Array.from(agents, ([node, { handle }]) => [
        node,
        createInProcessTransport(handle, agentTransportTimeoutMs),
      ]),
    ),
    switches: Array.from(agents, ([name, { mode, setMode }]) => ({ name, mode, setMode })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
