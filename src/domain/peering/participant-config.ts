/**
 * Configuration for the participant's router: a file for wg-quick, and one for BIRD 2.
 *
 * All values come from the server, which renders them canonically. A missing value (a key that is not known yet, a field
 * that another server does not send) becomes a placeholder in angle brackets, which neither program accepts.
 */
import type { NodeConfig, PeerConfig } from "../../contract/lenient.ts";
import {
  isLinkLocal,
  networkIpv4,
  networkIpv6,
  shareLinkLocalSubnet,
  tunnelNetworks,
} from "../address-ranges.ts";
import { type BgpSession, type Family, sessionsOf } from "./bgp-sessions.ts";
import { participantInterface } from "./participant-names.ts";
import { fromPeerConfig } from "./fields/peer-form.ts";
import { formatEndpoint } from "../port.ts";
import { formatPrefix, type Prefix } from "../prefix.ts";

export interface PeeringSides {
  /** The node's name. */
  readonly node: string;
  /** The participant's side, with the provider's port and AS number. */
  readonly peer: PeerConfig;
  readonly provider: NodeConfig;
  /** Absent until the participant shows it. */
  readonly presharedKey?: string | undefined;
}

/** The provider's endpoint: `host:port`, with an IPv6 address in brackets; "" if the host or the port is missing. */
export function providerEndpoint(provider: NodeConfig, peer: PeerConfig): string {
  if (provider.public_ip === "" || peer.local_port === "") return "";
  return formatEndpoint(provider.public_ip, peer.local_port);
}

/** A file for wg-quick, `/etc/wireguard/<interface>.conf`. */
export function renderWireguard({ node, peer, provider, presharedKey }: PeeringSides): string {
  const { remote_port } = fromPeerConfig(node, peer);
  return lines(
    `# /etc/wireguard/${participantInterface(peer.local_asn, node)}.conf`,
    "[Interface]",
    `# The private key that belongs to ${peer.peer_publickey || "<your public key>"}`,
    "PrivateKey = <paste your private key here>",
    ...(peer.no_endpoint === "Yes" ? [] : [`ListenPort = ${remote_port || "<your port>"}`]),
    ...(peer.mtu === "" ? [] : [`MTU = ${peer.mtu}`]),
    ...addressLines(peer, provider),
    "# BIRD installs the routes; return traffic may be asymmetric.",
    "Table = off",
    "PostUp = sysctl -qw net.ipv4.conf.%i.rp_filter=0",
    "",
    "[Peer]",
    peerLines.publicKey(provider),
    ...(peer.preshared_key === "" ? [] : [`PresharedKey = ${presharedKey ?? "<the pre-shared key>"}`]),
    peerLines.endpoint(provider, peer),
    `AllowedIPs = ${tunnelNetworks.join(", ")}`,
    peerLines.keepalive,
  );
}

/** The lines of wg-quick that lead to the node. */
export const peerLines = {
  publicKey: ({ public_key: key }: NodeConfig) =>
    `PublicKey = ${key || "<the node's key is not known yet: check again later>"}`,
  endpoint: (provider: NodeConfig, peer: PeerConfig) =>
    `Endpoint = ${providerEndpoint(provider, peer) || "<the node's address and port>"}`,
  keepalive: "PersistentKeepalive = 25",
} as const;

/** Protocol blocks for BIRD 2, one for each session, without templates. */
export function renderBird({ node, peer, provider }: PeeringSides): string {
  const blocks = participantSessions(peer).map((session) =>
    lines(...protocolLines(session, { node, peer, provider })),
  );
  return `# Add ROA validation to both import filters.\n${blocks.join("\n")}`;
}

/** The sessions that the participant's router has with the node. */
export function participantSessions(peer: PeerConfig): readonly BgpSession[] {
  return sessionsOf({
    asn: peer.peer_asn,
    addressFamily: peer.address_family,
    extendedNextHop: peer.bgp_extnh === "Yes",
  });
}

/**
 * Two link-local addresses of one /64 share it. Any other address is a host address with the other side as its peer: the
 * kernel adds no route to the node's address otherwise.
 */
function addressLines(peer: PeerConfig, provider: NodeConfig): string[] {
  return [
    ...addressLine(peer.peer_ipv4, provider.local_ipv4),
    ...addressLine(peer.peer_ipv6, provider.local_ipv6),
  ];
}

/** The lines of wg-quick that set one address. */
export function addressLine(own: string, far: string): string[] {
  if (own === "") return [];
  if (shareLinkLocalSubnet(own, far)) return [`Address = ${own}/64`];
  const length = own.includes(":") ? 128 : 32;
  const peer = far === "" ? nodeAddress[length === 32 ? "IPv4" : "IPv6"] : `${far}/${length}`;
  return [`PostUp = ip address add ${own}/${length} peer ${peer} dev %i`];
}

function protocolLines(session: BgpSession, sides: PeeringSides): string[] {
  const { local, source, neighbor } = sessionLines(session, sides);
  return [
    `protocol bgp ${sessionName(session, sides)} {`,
    `    ${local}`,
    `    ${source}`,
    ...neighbor.map((line) => `    ${line}`),
    ...session.channels.flatMap((family) =>
      channelLines(family, session.extendedNextHop).map((line) => `    ${line}`),
    ),
    "}",
  ];
}

/** BIRD's name of the session in the generated configuration. */
export function sessionName(session: BgpSession, { node, peer }: PeeringSides): string {
  const tunnel = participantInterface(peer.local_asn, node);
  return `${tunnel}${session.channels.length > 1 ? "" : suffix[session.transport]}`;
}

/** The lines of BIRD that say who speaks with whom. */
export function sessionLines(session: BgpSession, sides: PeeringSides) {
  const { node, peer, provider } = sides;
  const tunnel = participantInterface(peer.local_asn, node);
  const [own, far] =
    session.transport === "IPv4"
      ? [peer.peer_ipv4, provider.local_ipv4]
      : [peer.peer_ipv6, provider.local_ipv6];
  const neighbor = far || nodeAddress[session.transport];
  const providerAsn = peer.local_asn || "<the provider's AS number>";
  return {
    local: `local as ${peer.peer_asn || "<your AS number>"};`,
    source: `source address ${own || `<your tunnel ${session.transport}>`};`,
    // BIRD requires the interface if either address is link-local.
    neighbor: isLinkLocal(far)
      ? [`neighbor ${far} % '${tunnel}' as ${providerAsn};`]
      : [`neighbor ${neighbor} as ${providerAsn};`, `interface "${tunnel}";`],
  };
}

const nodeAddress: Readonly<Record<Family, string>> = {
  IPv4: "<the node's tunnel IPv4>",
  IPv6: "<the node's tunnel IPv6>",
};
const suffix: Readonly<Record<Family, string>> = { IPv4: "_v4", IPv6: "_v6" };
const routed: Readonly<Record<Family, readonly Prefix[]>> = { IPv4: networkIpv4, IPv6: networkIpv6 };

/** The channel of one address family in BIRD's session. */
export function channelLines(family: Family, extendedNextHop: boolean): string[] {
  const set = `[ ${routed[family].map((range) => `${formatPrefix(range)}+`).join(", ")} ]`;
  return [
    `${family.toLowerCase()} {`,
    ...(family === "IPv4" && extendedNextHop ? [extendedNextHopLine] : []),
    `    import where net ~ ${set};`,
    `    export where source ~ [ RTS_STATIC, RTS_BGP ] && net ~ ${set};`,
    "};",
  ];
}

const extendedNextHopLine = "    extended next hop on;";

function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}
