/** Output of the mock routers, in the style of `wg show`, BIRD and ping. */
import type { PeerDetails, PingResult } from "../contract/diagnostics.ts";
import { interfaceName, sessionsOf } from "../domain/peering/bgp-sessions.ts";
import { provider } from "./provider.ts";
import type { MockPeering } from "./state.ts";

function route(prefix: string, session: string, origin: string, mark: string): readonly string[] {
  return [
    `${prefix.padEnd(20)} unicast [${session} 2026-11-20] ${mark}(100) [AS${origin}i]`,
    `\tvia fe80::1 on ${session}`,
    `\tBGP.as_path: ${origin}`,
  ];
}

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
  received: ({ asn, health }: MockPeering): string =>
    [
      "Table master4:",
      ...route("172.20.201.0/26", interfaceName(asn), asn, "* "),
      ...(health === "Issues"
        ? ["", "Filtered:", "Table master4:", ...route("0.0.0.0/0", interfaceName(asn), asn, "")]
        : []),
      "",
    ].join("\n"),
  advertised: ({ node }: MockPeering): string =>
    ["Table master4:", ...route("172.20.129.0/27", `${node}_core`, provider.asn, "* "), ""].join("\n"),
  ping: ({ peering, health }: MockPeering, family: "ipv4" | "ipv6"): PingResult => {
    const target = family === "ipv4" ? peering.peerIpv4 : peering.peerIpv6;
    if (target === null) return { result: "failed", output: `The tunnel has no ${family} address.` };
    return health === "Down"
      ? { result: "failed", output: `PING ${target}: 4 packets transmitted, 0 received` }
      : { result: "success", output: `PING ${target}: 4 packets transmitted, 4 received, 12.4 ms` };
  },
} as const;
