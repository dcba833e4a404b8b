/** Peerings that fill a node, from AS4242421000 upwards, each with unique values. */
import { createHash } from "node:crypto";
import type { RoutedPeering } from "#agent/drivers/router.ts";

const firstAsn = 4_242_421_000;
const firstPort = 21_000;
const endpoint = "192.0.2.200";

/** @param number from 0 to 999 for a full node */
export function routedFiller(number: number, localIpv6: string): RoutedPeering {
  return {
    endpointAddress: endpoint,
    peering: {
      asn: String(firstAsn + number),
      addressFamily: "Both",
      extendedNextHop: true,
      endpointHost: endpoint,
      endpointPort: firstPort + number,
      publicKey: createHash("sha256").update(`filler ${number}`).digest("base64"),
      listenPort: firstPort + number,
      peerIpv4: null,
      peerIpv6: `fe80::1:${(number + 1).toString(16)}`,
      localIpv4: null,
      localIpv6,
    },
  };
}
