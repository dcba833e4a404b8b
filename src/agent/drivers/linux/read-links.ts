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

/**
 * Returns the states and round trips of the provider's own tunnels. The agent cannot read those that run in wireguard-go: such
 * a tunnel is up if its other end replies to a ping, and down if its interface is. Without a reply its state is unknown, because
 * the other end may drop pings.
 */
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
  const readStatus = async (name: string) => {
    const state = states.get(name);
    if (state) return state.peers.some(isUp) ? "up" : "down";
    if (!(await isInterfaceUp(run, name))) return "down";
    return latency.of(name) === null ? "unknown" : "up";
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

/** Whether an interface exists and is set up; a tunnel has no carrier that could say more. */
async function isInterfaceUp(run: Run, name: string): Promise<boolean> {
  const { code, stdout } = await run("ip", ["-json", "link", "show", "dev", name]);
  if (code !== 0) return false;
  const [link] = JSON.parse(stdout) as ReadonlyArray<{ readonly flags?: readonly string[] }>;
  return link?.flags?.includes("UP") ?? false;
}
