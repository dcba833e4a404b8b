/**
 * BIRD's file of one peering: its sessions and nothing else.
 *
 * Every value that goes in is a number, canonical address text or a name made of digits, checked by the
 * agent's rules before; what this file cannot know (filters, own prefixes, ROA) stands in the node's
 * `peerdeck-policy.conf`, by the names used here.
 */
import { type BgpSession, type Family, interfaceName, sessionsOf } from "../../../domain/bgp-sessions.ts";
import type { RoutedPeering } from "../router.ts";

export interface BirdRenderOptions {
  readonly providerAsn: string;
}

/** Routes that a session may bring before it is held at that number: dn42 as a whole has fewer than 2000 a family. */
export const importLimit = 4000;
/** Counts routes that the filters refuse as well. */
export const receiveLimit = 6000;

export function renderBirdPeering(routed: RoutedPeering, options: BirdRenderOptions): string {
  const { peering } = routed;
  const blocks = sessionsOf(peering).map((session) => protocolBlock(session, routed, options));
  return [`# AS${peering.asn}: written by the Peerdeck agent, which replaces changes made here.`, ...blocks]
    .map((block) => `${block}\n`)
    .join("");
}

function protocolBlock(session: BgpSession, { peering }: RoutedPeering, options: BirdRenderOptions): string {
  const [own, far] =
    session.transport === "IPv4"
      ? [peering.localIpv4, peering.peerIpv4]
      : [peering.localIpv6, peering.peerIpv6];
  if (own === null || far === null) {
    throw new Error(
      `${session.name} runs over ${session.transport}, and the peering has no addresses for it`,
    );
  }
  const name = interfaceName(peering.asn);
  const zone = far.startsWith("fe80:") ? ` % '${name}'` : "";
  return [
    `protocol bgp ${session.name} from peerdeck_peer {`,
    `    local as ${options.providerAsn};`,
    `    neighbor ${far}${zone} as ${peering.asn};`,
    // Without an explicit one BIRD takes any address of the interface, and the neighbour refuses it.
    `    source address ${own};`,
    ...(zone === "" ? [`    interface "${name}";`] : []),
    "    enforce first as on;",
    "    connect delay time 1;",
    "    connect retry time 2;",
    "    error wait time 1, 10;",
    ...session.channels.flatMap((family) => channelLines(family, session)),
    "}",
  ].join("\n");
}

function channelLines(family: Family, { extendedNextHop }: BgpSession): readonly string[] {
  return [
    `    ${family.toLowerCase()} {`,
    ...(family === "IPv4" && extendedNextHop ? ["        extended next hop on;"] : []),
    "        import filter peerdeck_import;",
    "        import keep filtered on;",
    `        import limit ${importLimit} action block;`,
    `        receive limit ${receiveLimit} action block;`,
    "        export filter peerdeck_export;",
    "    };",
  ];
}
