/** What the mock routers print, in the manner of `wg show`, BIRD and ping. */
import type { PeerDetails, PingResult } from "../contract/entities.ts";
import { interfaceName, sessionsOf } from "../domain/bgp-sessions.ts";
import { provider } from "./provider.ts";
import type { MockPeering } from "./state.ts";

export const routerOutput = {
  details: ({ asn, peering, health }: MockPeering): PeerDetails => ({
    wg_details: {
      output: [
        `interface: ${interfaceName(asn)}`,
        `  listening port: ${peering.listenPort}`,
        "",
        `peer: ${peering.publicKey}`,
        `  endpoint: ${peering.endpointHost}:${peering.endpointPort}`,
        ...(health === "Down" ? [] : ["  latest handshake: 41 seconds ago"]),
        "  persistent keepalive: every 25 seconds",
      ].join("\n"),
    },
    bgp_details: {
      output: sessionsOf(peering)
        .map(
          ({ name }) => `${name}  BGP  ---  up  2026-11-20  ${health === "Down" ? "Active" : "Established"}`,
        )
        .join("\n"),
    },
  }),
  restart: ({ peering }: MockPeering): string =>
    sessionsOf(peering)
      .map(({ name }) => `${name}: restarted`)
      .join("\n"),
  received: ({ asn }: MockPeering): string =>
    `172.20.201.0/26  unicast [${interfaceName(asn)}] * (100) [AS${asn}i]`,
  advertised: ({ node }: MockPeering): string =>
    `172.20.129.0/27  unicast [${node}_core] * (100) [AS${provider.asn}i]`,
  ping: ({ peering, health }: MockPeering, family: "ipv4" | "ipv6"): PingResult => {
    const target = family === "ipv4" ? peering.peerIpv4 : peering.peerIpv6;
    if (target === null) return { result: "failed", output: `The tunnel has no ${family} address.` };
    return health === "Down"
      ? { result: "failed", output: `PING ${target}: 4 packets transmitted, 0 received` }
      : { result: "success", output: `PING ${target}: 4 packets transmitted, 4 received, 12.4 ms` };
  },
} as const;
