/**
 * Recognises the parts of a WireGuard configuration in a text that a participant pastes: that of their own router, one that
 * describes it as a peer, or a fragment such as `host:port`.
 *
 * Nothing of the result contains a secret but `privateKey`, from which the caller computes the public key.
 */
import { isLinkLocal } from "../../address-ranges.ts";
import { explainInvalidText } from "../peering-rules.ts";
import { defaultMtu } from "../option-rules.ts";
import { readFragment } from "./read-fragment.ts";
import { readIni } from "./read-ini.ts";
import { isRouterOs, readRouterOs } from "./read-routeros.ts";
import { isUci, readUci } from "./read-uci.ts";
import { joinSections, type PeerText, type TunnelText } from "./tunnel-text.ts";
import { convertHostName, readAddress } from "./value-texts.ts";

/** Longer texts are left to the field. */
export const maxPastedLength = 65_536;

export type PastedField = "remote_ip" | "remote_port" | "public_key" | "peer_ipv4" | "peer_ipv6" | "mtu";
export type PastedValues = Readonly<Partial<Record<PastedField, string>>>;

/** What is known about the provider's nodes. */
export interface ProviderNodes {
  /** The domain of all nodes; "" without one. */
  readonly domain: string;
  /** Public addresses and names, in lower case. */
  readonly hosts: readonly string[];
  readonly keys: readonly string[];
}

export interface PasteContext {
  readonly nodes: ProviderNodes;
  /** Converts an internationalised name as browsers do; null if it is no name. */
  readonly toAscii: (name: string) => string | null;
}

/** A router that can be the participant's. */
export interface PastedRouter {
  /** `own`: of its own configuration. `peer`: as another configuration describes it. `fragment`: of single values. */
  readonly source: "own" | "peer" | "fragment";
  /** The name of its interface; "" without one. */
  readonly name: string;
  readonly values: PastedValues;
  /** Values that the form does not accept, and why. */
  readonly refused: ReadonlyArray<{ readonly field: PastedField; readonly message: string }>;
  /** The name that was converted to `values.remote_ip`; "" without one. */
  readonly convertedName: string;
  /** Empty without one. */
  readonly privateKey: string;
}

export interface PastedText {
  /** If there are several, the participant chooses. */
  readonly routers: readonly PastedRouter[];
  /** Whether one of the peers is a node of the provider. */
  readonly hasNode: boolean;
  readonly hasPrivateKey: boolean;
  readonly hasPresharedKey: boolean;
}

/** Returns null for a text that is left to the field. */
export function takeApart(text: string, context: PasteContext): PastedText | null {
  if (text.length > maxPastedLength) return null;
  const tunnels = readTunnels(text);
  const pasted = tunnels.length > 0 ? fromTunnels(tunnels, context) : fromFragment(text, context);
  return pasted !== null && (pasted.hasNode || pasted.routers.some(isUseful)) ? pasted : null;
}

function isUseful({ values, privateKey }: PastedRouter): boolean {
  return privateKey !== "" || Object.keys(values).length > 0;
}

function readTunnels(text: string): readonly TunnelText[] {
  const lines = text.split(/\r?\n|\r/);
  if (isRouterOs(text)) return joinSections(readRouterOs(lines));
  return joinSections(isUci(text) ? readUci(lines) : readIni(lines));
}

function fromTunnels(tunnels: readonly TunnelText[], context: PasteContext): PastedText {
  const isNode = ({ publicKey, host }: PeerText) => belongsToProvider(publicKey, host, context.nodes);
  const own = tunnels.filter((tunnel) => tunnel.isOwn || tunnel.peers.some(isNode));
  const withNode = own.filter((tunnel) => tunnel.peers.some(isNode));
  // Of all interfaces of a router, the peering is the one with a node as its peer.
  const chosen = withNode.length > 0 ? withNode : own;
  const routers =
    own.length > 0
      ? chosen.map((tunnel) => readOwn(tunnel, context))
      : tunnels.flatMap((tunnel) => tunnel.peers.map((peer) => readPeerRouter(tunnel, peer, context)));
  // A text such as "ListenPort = 51820" has neither a key nor a peer.
  const found = routers.length > 0 ? routers : tunnels.map((tunnel) => readOwn(tunnel, context));
  return {
    routers: found.filter(isUseful),
    hasNode: withNode.length > 0,
    hasPrivateKey: tunnels.some((tunnel) => tunnel.hasPrivateKey),
    hasPresharedKey: tunnels.some((tunnel) => tunnel.hasPresharedKey),
  };
}

function fromFragment(text: string, context: PasteContext): PastedText | null {
  const fragment = readFragment(text);
  if (fragment === null) return null;
  const hasNode = belongsToProvider("", fragment.host, context.nodes);
  const router = createRouter("fragment", "", context, {
    host: hasNode ? "" : fragment.host,
    port: hasNode ? "" : fragment.port,
    publicKey: "",
    addresses: fragment.addresses,
  });
  return { routers: [router].filter(isUseful), hasNode, hasPrivateKey: false, hasPresharedKey: false };
}

function belongsToProvider(publicKey: string, host: string, { domain, hosts, keys }: ProviderNodes): boolean {
  const name = host.toLowerCase();
  return (
    (publicKey !== "" && keys.includes(publicKey)) ||
    (name !== "" && (hosts.includes(name) || (domain !== "" && name.endsWith(`.${domain.toLowerCase()}`))))
  );
}

/** The endpoint of a router is not in its own configuration. */
function readOwn(tunnel: TunnelText, context: PasteContext): PastedRouter {
  const { publicKey, listenPort, mtu, addresses, privateKey } = tunnel;
  const name = tunnel.name.startsWith("#") ? "" : tunnel.name;
  const texts = { host: "", port: listenPort, publicKey, addresses, mtu };
  return { ...createRouter("own", name, context, texts), privateKey: publicKey === "" ? privateKey : "" };
}

/** Of its AllowedIPs, the host addresses are those of its tunnel. */
function readPeerRouter({ name }: TunnelText, peer: PeerText, context: PasteContext): PastedRouter {
  const addresses = peer.addresses.filter((text) => {
    const address = readAddress(text);
    const length = address?.field === "peer_ipv4" ? 32 : 128;
    return address !== null && (address.prefixLength ?? length) === length;
  });
  return createRouter("peer", name, context, { ...peer, addresses });
}

interface RouterTexts extends PeerText {
  readonly mtu?: string;
}

function createRouter(
  source: PastedRouter["source"],
  name: string,
  { toAscii }: PasteContext,
  { host, port, publicKey, addresses, mtu = "" }: RouterTexts,
): PastedRouter {
  const converted = convertHostName(host, toAscii);
  const texts: ReadonlyArray<readonly [PastedField, string]> = [
    ["remote_ip", converted ?? host],
    ["remote_port", port],
    ["public_key", publicKey],
    ["peer_ipv4", chooseAddress(addresses, "peer_ipv4")],
    ["peer_ipv6", chooseAddress(addresses, "peer_ipv6")],
    ["mtu", mtu === String(defaultMtu) ? "" : mtu],
  ];
  const checked = texts
    .filter(([, text]) => text !== "")
    .map(([field, text]) => ({ field, text, message: explainInvalidText(field, text) }));
  return {
    source,
    name,
    values: Object.fromEntries(
      checked.filter(({ message }) => message === null).map(({ field, text }) => [field, text]),
    ),
    refused: checked.flatMap(({ field, message }) => (message === null ? [] : [{ field, message }])),
    convertedName: converted === null ? "" : host,
    privateKey: "",
  };
}

/** A tunnel's address of a family: link-local before others, as the form prefers it. "" without one. */
function chooseAddress(texts: readonly string[], field: "peer_ipv4" | "peer_ipv6"): string {
  const found = texts
    .map(readAddress)
    .filter((each) => each?.field === field)
    .map((each) => each?.address ?? "")
    .filter((address) => explainInvalidText(field, address) === null);
  return found.find(isLinkLocal) ?? found[0] ?? "";
}
