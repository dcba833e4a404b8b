import { randomKey } from "../integration/server/participant.ts";

/** The labels of the wizard's details step for a family without IPv4 tunnel addresses, with valid values, in its order. */
export function tunnelDetails(peerIpv6 = "fe80::1"): ReadonlyArray<readonly [label: string, value: string]> {
  return [
    ["Public IP or hostname", "198.51.100.7"],
    ["Port", "51820"],
    ["Public key", randomKey()],
    ["IPv6 tunnel address", peerIpv6],
  ];
}
