/** Peerings that fill a node, from AS4242421000 upwards, each with unique values. */
import { createHash } from "node:crypto";
import type { RoutedPeering } from "#agent/drivers/router.ts";
import { peeringOf, routed } from "#agent/fixtures/peerings.ts";

const firstAsn = 4_242_421_000;
const firstPort = 21_000;

/** The node's end of tunnels that a measurement applies itself. */
export const nodeLinkLocal = "fe80::2227:12";

/** @param number from 0 to 999 for a full node */
export function routedFiller(number: number, localIpv6: string): RoutedPeering {
  return routed(
    peeringOf(1, {
      asn: String(firstAsn + number),
      endpointHost: "192.0.2.200",
      endpointPort: firstPort + number,
      publicKey: createHash("sha256").update(`filler ${number}`).digest("base64"),
      listenPort: firstPort + number,
      peerIpv6: `fe80::1:${(number + 1).toString(16)}`,
      localIpv6,
    }),
  );
}

/** With both address families, and an address in the peer's network. */
export function dualStackFiller(number: number): RoutedPeering {
  const filler = routedFiller(number, "fe80::2227");
  const tail = `${Math.floor(number / 250)}.${(number % 250) + 1}`;
  return routed({
    ...filler.peering,
    extendedNextHop: false,
    localIpv4: "172.20.16.5",
    peerIpv4: `172.22.${tail}`,
    probeAddress: `172.23.${tail}`,
  });
}
