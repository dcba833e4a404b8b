/** The ports and addresses that the machine uses apart from participants' tunnels. */
import { readFile } from "node:fs/promises";
import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import type { ValuesInUse } from "#contract/agent.ts";
import { formatAddress, parseAddress } from "#domain/prefix.ts";
import type { WireguardInterface } from "../wireguard/parse-dump.ts";
import { foreignPorts, type LeftOutTunnels } from "../left-out/left-out-tunnels.ts";

/** The kernel's tables of UDP sockets in this network namespace, WireGuard's own included. */
const socketTables = ["/proc/net/udp", "/proc/net/udp6"];
/** Limits the response of a machine with very many sockets or addresses. */
const maxValues = 4_096;

/** Returns the UDP ports on which anything listens. */
export async function readListeningPorts(): Promise<ReadonlySet<number>> {
  // A kernel without IPv6 has no table of it.
  const tables = await Promise.all(socketTables.map((path) => readFile(path, "utf8").catch(() => "")));
  return new Set(tables.flatMap(parsePorts));
}

/** Parses a table of the kernel: local addresses like `0100007F:4E20`, port last. */
export function parsePorts(table: string): readonly number[] {
  const sockets = table.matchAll(/^ *\d+: [\dA-F]+:([\dA-F]{4}) /gm);
  return Array.from(sockets, ([, port = ""]) => Number.parseInt(port, 16));
}

/** Returns the ports of participants' tunnels, without those that another program uses. */
export function portsOfTunnels(
  tunnels: Iterable<Pick<WireguardInterface, "listenPort">>,
  leftOut: LeftOutTunnels,
): ReadonlySet<number> {
  const ports = new Set(Array.from(tunnels, ({ listenPort }) => listenPort));
  for (const port of foreignPorts(leftOut)) ports.delete(port);
  return ports;
}

/**
 * @param ownPorts the ports of participants' tunnels
 * @param isOwn whether an interface is a participant's tunnel
 */
export async function readValuesInUse(
  ownPorts: ReadonlySet<number>,
  isOwn: (name: string) => boolean,
): Promise<ValuesInUse> {
  const ports = Array.from(await readListeningPorts()).filter((port) => !ownPorts.has(port));
  return {
    ports: ports.toSorted((a, b) => a - b).slice(0, maxValues),
    addresses: addressesInUse(networkInterfaces(), isOwn),
  };
}

/** Returns the canonical addresses of the machine's other interfaces; loopback and link-local ones are free. */
export function addressesInUse(
  interfaces: Readonly<Record<string, ReadonlyArray<Pick<NetworkInterfaceInfo, "address">> | undefined>>,
  isOwn: (name: string) => boolean,
): ValuesInUse["addresses"] {
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !isOwn(name))
    .flatMap(([, ofInterface = []]) => ofInterface)
    .map(({ address }) => address)
    .filter((address) => !/^(?:fe[89ab].:|127\.|::1$)/.test(address))
    .flatMap((address) => parseAddress(address) ?? []);
  return [...new Set(addresses.map(formatAddress))].slice(0, maxValues);
}
