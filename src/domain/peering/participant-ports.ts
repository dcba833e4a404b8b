/** The UDP ports on which the participant's WireGuard listens: two interfaces of one router cannot share one. */
import { parsePort } from "../port.ts";

/** The participant's side of another peering. */
export interface OtherEndpoint {
  readonly node: string;
  readonly host: string;
  readonly port: string;
}

/** WireGuard's customary port. */
const firstPort = 51_820;
const lastPort = 65_535;

/** Returns the first port from 51820 on that none of the other peerings uses. */
export function suggestPort(others: readonly OtherEndpoint[]): number {
  const used = new Set(others.map(({ port }) => parsePort(port)));
  let port = firstPort;
  while (port < lastPort && used.has(port)) port += 1;
  return port;
}

/** Returns the other peerings with this port on the same host. A host under another name is not recognised. */
export function findPortReuse(
  host: string,
  port: string,
  others: readonly OtherEndpoint[],
): readonly OtherEndpoint[] {
  return others.filter((other) => other.port === port && other.host.toLowerCase() === host.toLowerCase());
}
