import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "../agent/clock.ts";
import { createInProcessTransport } from "../agent/in-process-transport.ts";
import { createStateFile } from "../agent/reconcile/state-file.ts";
import { createSimulatedAgent, type SimulatedAgent } from "../agent/simulated-agent.ts";
import type { Transport } from "../contract/client.ts";
import type { Profile } from "../server/config/profile.ts";

/** A simulated node and its switch. */
export type DemoNode = Pick<SimulatedAgent, "mode" | "setMode"> & { readonly name: string };

export interface DemoNodes extends AsyncDisposable {
  readonly transports: ReadonlyMap<string, Transport>;
  readonly switches: readonly DemoNode[];
}

export interface DemoNodesOptions {
  readonly profile: Profile;
  readonly dataDir: string;
  readonly log: Logger;
  /** What a simulated second lasts, in seconds. */
  readonly timeScale: number;
}

/** Longer than any limit that the server sets itself. */
const answerTimeoutMs = 60_000;

/** Starts an agent over a simulated router for every node of the profile, and the ways to call them. */
export async function startDemoNodes({
  profile,
  dataDir,
  log,
  timeScale,
}: DemoNodesOptions): Promise<DemoNodes> {
  await using parts = new AsyncDisposableStack();
  const agents = new Map<string, SimulatedAgent>();
  const names = profile.nodes.map(({ name }) => name);
  // Side by side: each gives its router what it held before, and that takes a while.
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
  for (const start of started) {
    if (start.status === "rejected") throw start.reason;
    agents.set(start.value.node, start.value.agent);
  }
  const running = parts.move();
  return {
    transports: new Map(
      Array.from(agents, ([node, { handle }]) => [node, createInProcessTransport(handle, answerTimeoutMs)]),
    ),
    switches: Array.from(agents, ([name, { mode, setMode }]) => ({ name, mode, setMode })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
