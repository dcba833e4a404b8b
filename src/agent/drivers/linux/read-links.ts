import type { Connection } from "../../../contract/entities.ts";
import type { Run } from "../../processes.ts";
import { isUp } from "../wireguard/parse-dump.ts";
import type { WireguardReader } from "../wireguard/read-interfaces.ts";

export interface LinksDeps {
  readonly node: string;
  /** The provider's own tunnels: WireGuard interfaces by the node at their other end. */
  readonly tunnels: Readonly<Record<string, string>>;
  readonly wireguard: Pick<WireguardReader, "readForeign">;
  readonly run: Run;
}

/** Returns the states of the provider's own tunnels. The agent cannot read those that run in wireguard-go. */
export async function readLinks({
  node,
  tunnels,
  wireguard,
  run,
}: LinksDeps): Promise<readonly Connection[]> {
  const tunnelsByNode = Object.entries(tunnels);
  if (tunnelsByNode.length === 0) return [];
  const states = await wireguard.readForeign(Object.values(tunnels));
  const exists = async (name: string) => (await run("ip", ["link", "show", "dev", name])).code === 0;
  return Promise.all(
    tunnelsByNode.map(async ([to, name]) => {
      const state = states.get(name);
      if (state) return { from: node, to, status: state.peers.some(isUp) ? "up" : "down" };
      return { from: node, to, status: (await exists(name)) ? "unknown" : "down" };
    }),
  );
}
