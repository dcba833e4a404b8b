/** The network of a recording: a node, and participants that are each connected to it by an interface of their own. */
import { runOk, runProcess } from "#system/processes.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { type LabHost, openInternet } from "#lab/hosts/namespaces.ts";
import { dualStackOf, peeringOf } from "#agent/fixtures/peerings.ts";
import type { Peering } from "#contract/agent.ts";

export interface RecordingNetwork extends AsyncDisposable {
  readonly node: LabHost;
  /** The participants AS4242420001 and AS4242420002. */
  readonly participants: readonly [LabHost, LabHost];
}

/** The participant's interface to the node. */
export const tunnel = "to-node";
/** The node's addresses, as in docs/bird/bird.conf. */
const ownIpv4 = "172.20.16.1";
const ownIpv6 = "fd42:d42::1";

/** MP-BGP with extended next hop over link-local addresses. */
export function linkLocalPeering(n: number): Peering {
  return peeringOf(n);
}

/** A session per address family: IPv4, and IPv6 over link-local addresses. */
export function separatePeering(n: number): Peering {
  return dualStackOf(n, { localIpv4: ownIpv4 });
}

/** A session per address family, both over addresses that are routed in the network. */
export function routedPeering(n: number): Peering {
  return dualStackOf(n, { localIpv4: ownIpv4, localIpv6: ownIpv6, peerIpv6: `fd42:4242:${n}::1` });
}

/** Opens the network. AS4242420003 has an interface, and no host is connected to it. */
export async function openNetwork(): Promise<RecordingNetwork> {
  const internet = await openInternet();
  try {
    const node = await internet.host("node", "192.0.2.1/24");
    // BIRD uses these addresses as source addresses.
    await node.run("ip", "address", "add", `${ownIpv4}/32`, "dev", "lo");
    await node.run("ip", "address", "add", `${ownIpv6}/128`, "dev", "lo");
    const first = await internet.host("participant1", "192.0.2.11/24");
    const second = await internet.host("participant2", "192.0.2.12/24");
    await connectHosts(node, first, 1);
    await connectHosts(node, second, 2);
    await node.run("ip", "link", "add", interfaceOf(3), "type", "veth", "peer", "name", "unconnected");
    await node.run("ip", "link", "set", "unconnected", "up");
    await setUpNode(node, 3);
    await losePackets(node, 3);
    return {
      node,
      participants: [first, second],
      [Symbol.asyncDispose]: () => internet[Symbol.asyncDispose](),
    };
  } catch (error) {
    await internet[Symbol.asyncDispose]();
    throw error;
  }
}

/** Loses the node's packets to a participant's link-local address, without an error. */
async function losePackets(node: LabHost, n: number): Promise<void> {
  await setNeighbour(node, n, linkLocalPeering(n).peerIpv6 ?? "", "02:00:00:00:00:99");
}

/** Makes a participant answer packets to its IPv4 address with "host unreachable", or restores it. */
export async function setUnreachable(
  { node, participants }: RecordingNetwork,
  n: 1 | 2,
  isUnreachable: boolean,
): Promise<void> {
  const { run } = participants[n - 1] ?? node;
  const address = separatePeering(n).peerIpv4 ?? "";
  const change = isUnreachable ? (["del", "add"] as const) : (["add", "del"] as const);
  await run("ip", "address", change[0], address, "peer", `${ownIpv4}/32`, "dev", tunnel);
  await run("ip", "route", change[1], "unreachable", address);
  await run("ip", "route", "replace", `${ownIpv4}/32`, "dev", tunnel);
  const link = await run("ip", "-oneline", "link", "show", "dev", tunnel);
  const mac = /link\/ether (\S+)/.exec(link)?.[1] ?? "";
  await setNeighbour(node, n, address, mac);
}

function setNeighbour(node: LabHost, n: number, address: string, mac: string): Promise<string> {
  const place = [address, "dev", interfaceOf(n), "lladdr", mac, "nud", "permanent"];
  return node.run("ip", "neighbour", "replace", ...place);
}

/** Shuts down the node's interface to a participant, or restores it with its addresses. */
export async function setInterface(node: LabHost, n: number, isUp: boolean): Promise<void> {
  await node.run("ip", "link", "set", interfaceOf(n), "down");
  if (!isUp) return;
  await node.run("ip", "address", "flush", "dev", interfaceOf(n));
  await setUpNode(node, n);
}

/** Returns the name of the node's interface to a participant. */
function interfaceOf(n: number): string {
  return interfaceName(linkLocalPeering(n).asn);
}

async function connectHosts(node: LabHost, participant: LabHost, n: number): Promise<void> {
  const link = [interfaceOf(n), "type", "veth", "peer", "name", tunnel, "netns", String(participant.pid)];
  // Outside the hosts' PID namespace, in which the process id has another value.
  const inNode = ["-t", String(node.pid), "-U", "-n", "--preserve-credentials"];
  await runOk(runProcess, "nsenter", [...inNode, "ip", "link", "add", ...link]);
  await setUpNode(node, n);
  const { asn, peerIpv4, peerIpv6 } = separatePeering(n);
  const { peerIpv6: routedIpv6 } = routedPeering(n);
  if (peerIpv4 === null || peerIpv6 === null || routedIpv6 === null)
    throw new Error(`AS${asn} has no addresses`);
  await setUp(participant, tunnel, [
    [`${peerIpv6}/64`],
    [peerIpv4, "peer", `${ownIpv4}/32`],
    [routedIpv6, "peer", `${ownIpv6}/128`],
  ]);
}

function setUpNode(node: LabHost, n: number): Promise<void> {
  const { localIpv6, peerIpv4 } = separatePeering(n);
  return setUp(node, interfaceOf(n), [
    [`${localIpv6}/64`],
    [ownIpv4, "peer", `${peerIpv4}/32`],
    [ownIpv6, "peer", `${routedPeering(n).peerIpv6}/128`],
  ]);
}

async function setUp(
  host: LabHost,
  name: string,
  addresses: ReadonlyArray<readonly string[]>,
): Promise<void> {
  // Disables the generated address, which BGP sessions would use as their source.
  await host.run("ip", "link", "set", name, "addrgenmode", "none", "up");
  for (const [address = "", ...peer] of addresses) {
    const options = address.includes(":") ? ["nodad"] : [];
    await host.run("ip", "address", "add", address, ...peer, "dev", name, ...options);
  }
}
