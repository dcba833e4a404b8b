import type { NodeLink } from "#contract/agent.ts";
import type { Finding } from "#domain/findings/findings.ts";
import type { Run } from "#system/processes.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";
import type { ProbeResult } from "../probe-results.ts";
import { isUp } from "../wireguard/parse-dump.ts";
import type { WireguardReader } from "../wireguard/read-interfaces.ts";
import { isNodeSilent, minMisses } from "./silence.ts";

/** What probes say about one of the provider's own tunnels. */
export interface LinkProbes {
  /** Of the tunnel's other end; undefined while it is not probed. */
  readonly end: ProbeResult | undefined;
  /** From this node's network addresses to those of the other node, one entry per address family. */
  readonly ways: readonly ProbeResult[];
}

export interface LinksDeps {
  readonly node: string;
  /** The provider's own tunnels, by the node at their other end. */
  readonly tunnels: Readonly<Record<string, OwnTunnel>>;
  readonly wireguard: Pick<WireguardReader, "readForeign">;
  readonly run: Run;
  readonly probesOf: (to: string, tunnel: OwnTunnel) => LinkProbes;
}

interface ReadLink {
  readonly link: NodeLink;
  /** Without a reply from the other node; undefined if that is not known. */
  readonly blocked: ProbeResult | undefined;
}

/**
 * Returns the states and round trips of the provider's own tunnels. The agent cannot read those that run in wireguard-go: such
 * a tunnel is up if its other end replies to a ping, and down if its interface is. Without a reply its state is unknown, because
 * the other end may drop pings. A tunnel that is up is blocked if the other node does not reply through it.
 */
export async function readLinks(deps: LinksDeps): Promise<readonly ReadLink[]> {
  const { node, tunnels, wireguard, run, probesOf } = deps;
  const tunnelsByNode = Object.entries(tunnels);
  if (tunnelsByNode.length === 0) return [];
  const states = await wireguard.readForeign(tunnelsByNode.map(([, tunnel]) => tunnel.interface));
  const readStatus = async (name: string, end: ProbeResult | undefined) => {
    const state = states.get(name);
    if (state) return state.peers.some(isUp) ? "up" : "down";
    const isSetUp = await isInterfaceUp(run, name);
    if (isSetUp === false) return "down";
    const replies = end !== undefined && end.latencyMs !== null && end.missesInRow < minMisses;
    return isSetUp === true && replies ? "up" : "unknown";
  };
  return Promise.all(
    tunnelsByNode.map(async ([to, tunnel]) => {
      const { end, ways } = probesOf(to, tunnel);
      const status = await readStatus(tunnel.interface, end);
      const blocked = status === "up" ? ways.find((way) => isNodeSilent(way, end)) : undefined;
      const latencyMs = end?.latencyMs ?? null;
      return { link: { from: node, to, status: blocked ? "blocked" : status, latencyMs }, blocked };
    }),
  );
}

/** Links that are known to be down or blocked; one whose state is unknown is neither. */
export function findLinkFaults(
  links: readonly ReadLink[],
  tunnels: Readonly<Record<string, OwnTunnel>>,
): readonly Finding[] {
  return links.flatMap(({ link: { to, status }, blocked }): readonly Finding[] => {
    const facts = { node: to, interface: tunnels[to]?.interface ?? "" };
    if (status === "down") return [{ code: "link-down", facts }];
    if (!blocked) return [];
    const { source, target } = blocked;
    return [{ code: "link-blocked", facts: { ...facts, source, address: target } }];
  });
}

/** Whether an interface exists and is set up; a tunnel has no carrier that could say more. Null if it cannot be read. */
async function isInterfaceUp(run: Run, name: string): Promise<boolean | null> {
  const { code, stdout, stderr } = await run("ip", ["-json", "link", "show", "dev", name]);
  if (code !== 0) return /does not exist/.test(stderr) ? false : null;
  const [link] = JSON.parse(stdout) as ReadonlyArray<{ readonly flags?: readonly string[] }>;
  return link?.flags?.includes("UP") ?? null;
}
