import type { NodeLink } from "#contract/agent.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import type { Run } from "#system/processes.ts";
import { isUp } from "../wireguard/parse-dump.ts";
import type { WireguardReader } from "../wireguard/read-interfaces.ts";
import type { LatencyMonitor } from "./latency.ts";

export interface LinksDeps {
  readonly node: string;
  /** The provider's own tunnels, by the node at their other end. */
  readonly tunnels: Readonly<Record<string, OwnTunnel>>;
  readonly wireguard: Pick<WireguardReader, "readForeign">;
  readonly run: Run;
  readonly latency: Pick<LatencyMonitor, "of">;
}

/** Returns the states and round trips of the provider's own tunnels. The agent cannot read those that run in wireguard-go. */
export async function readLinks({
  node,
  tunnels,
  wireguard,
  run,
  latency,
}: LinksDeps): Promise<readonly NodeLink[]> {
  const tunnelsByNode = Object.entries(tunnels);
  if (tunnelsByNode.length === 0) return [];
  const states = await wireguard.readForeign(tunnelsByNode.map(([, tunnel]) => tunnel.interface));
  const exists = async (name: string) => (await run("ip", ["link", "show", "dev", name])).code === 0;
  const readStatus = async (name: string) => {
    const state = states.get(name);
    if (state) return state.peers.some(isUp) ? "up" : "down";
    return (await exists(name)) ? "unknown" : "down";
  };
  return Promise.all(
    tunnelsByNode.map(async ([to, tunnel]) => ({
      from: node,
      to,
      status: await readStatus(tunnel.interface),
      latencyMs: latency.of(tunnel.interface),
    })),
  );
}
