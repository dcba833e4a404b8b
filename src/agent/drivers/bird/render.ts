/**
 * Renders BIRD's file of one peering: its sessions and nothing else.
 *
 * Every rendered value is a number, a canonical address or a name made of digits, validated before by the
 * agent's rules. Filters, own prefixes and ROA tables are defined in the node's `peerdeck-policy.conf` under
 * the names used here.
 */
import { isLinkLocal } from "#domain/address-ranges.ts";
import { type BgpSession, type Family, interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import type { RoutedPeering } from "../router.ts";

export interface BirdRenderOptions {
  readonly providerAsn: string;
  /** The names of sessions that the operator disabled. */
  readonly disabled?: ReadonlySet<string>;
}

const disabledLine = "    disabled;";

/**
 * The number of routes a session may import before BIRD blocks further ones. dn42 as a whole has fewer than
 * 2000 per address family.
 */
export const importLimit = 4000;
/** The number of routes that a session may receive, including those that the filters reject. */
export const receiveLimit = 6000;

export function renderBirdPeering(routed: RoutedPeering, options: BirdRenderOptions): string {
  const { peering } = routed;
  const blocks = sessionsOf(peering).map((session) => protocolBlock(session, routed, options));
  return [`# AS${peering.asn}: written by the Peerdeck agent, which replaces changes made here.`, ...blocks]
    .map((block) => `${block}\n`)
    .join("");
}

/** Returns the names of a rendered file's sessions, and whether it disables them. */
export function readSessionStates(text: string): ReadonlyMap<string, boolean> {
  const lines = text.split("\n");
  return new Map(
    lines.flatMap((line, index) => {
      const [, name] = head.exec(line) ?? [];
      return name === undefined ? [] : [[name, lines[index + 1] === disabledLine] as const];
    }),
  );
}

const headOf = (name: string) => `protocol bgp ${name} from peerdeck_peer {`;
const head = /^protocol bgp (\S+) from peerdeck_peer \{$/;

function protocolBlock(session: BgpSession, { peering }: RoutedPeering, options: BirdRenderOptions): string {
  const [own, far] =
    session.transport === "IPv4"
      ? [peering.localIpv4, peering.peerIpv4]
      : [peering.localIpv6, peering.peerIpv6];
  if (own === null || far === null) {
    throw new Error(
      `${session.name} runs over ${session.transport}, but the peering has no ${session.transport} addresses`,
    );
  }
  const name = interfaceName(peering.asn);
  const zone = isLinkLocal(far) ? ` % '${name}'` : "";
  return [
    headOf(session.name),
    ...(options.disabled?.has(session.name) === true ? [disabledLine] : []),
    `    local as ${options.providerAsn};`,
    `    neighbor ${far}${zone} as ${peering.asn};`,
    // Without an explicit source BIRD uses any address of the interface, and the neighbour refuses the
    // connection.
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
