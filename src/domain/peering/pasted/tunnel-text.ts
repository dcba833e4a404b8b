/** What a pasted configuration says about tunnels, in texts that nothing has checked. */
import { parseKey } from "../wireguard-key.ts";
import { readEndpoint } from "./value-texts.ts";

/** A part of a configuration that is about one interface or one peer. */
export interface Section {
  /** Which tunnel it belongs to, in the words of the reader. */
  readonly tunnel: string;
  readonly kind: "interface" | "peer";
  /** Keys in lower case, without separators: `listenport`. */
  readonly entries: Array<readonly [key: string, value: string]>;
}

export interface PeerText {
  readonly publicKey: string;
  readonly host: string;
  readonly port: string;
  /** Its AllowedIPs. */
  readonly addresses: readonly string[];
}

export interface TunnelText {
  readonly name: string;
  /** Empty unless it is a key: a placeholder is none. */
  readonly privateKey: string;
  readonly publicKey: string;
  /** Whether the text comes from the router of this interface, which alone has the private key or a file with it. */
  readonly isOwn: boolean;
  readonly listenPort: string;
  readonly mtu: string;
  readonly addresses: readonly string[];
  readonly peers: readonly PeerText[];
  readonly hasPrivateKey: boolean;
  readonly hasPresharedKey: boolean;
}

/** The names of a value in all systems. */
const interfaceKeys = {
  privateKey: ["privatekey"],
  privateKeyFile: ["privatekeyfile"],
  publicKey: ["publickey"],
  listenPort: ["listenport", "listeningport"],
  mtu: ["mtu", "mtubytes"],
  addresses: ["address", "addresses", "address1", "address2", "ips"],
  commands: ["postup", "preup"],
} as const;

const peerKeys = {
  publicKey: ["publickey", "pubkey"],
  presharedKey: ["presharedkey", "psk"],
  privateKey: ["privatekey"],
  endpoint: ["endpoint"],
  host: ["endpointhost", "endpointaddress"],
  port: ["endpointport"],
  addresses: ["allowedips", "allowedaddress"],
} as const;

export const interfaceKeyNames: ReadonlySet<string> = new Set(Object.values(interfaceKeys).flat());
export const peerKeyNames: ReadonlySet<string> = new Set(Object.values(peerKeys).flat());

/** `PostUp = ip address add 172.20.1.1/32 peer 172.20.16.1/32 dev %i`, in which wg-quick's Address has no peer. */
const addedAddress =
  /\bip (?:-[46] )?a(?:ddr(?:ess)?)? add (?:dev \S{1,40} )?([0-9a-f:.]{2,45}(?:\/\d{1,3})?)/gi;

/** "listen-port", "ListenPort" and "listening port" are one key. */
export function normaliseKey(text: string): string {
  return text.replaceAll(/[\s_-]/g, "").toLowerCase();
}

/** The tunnels of a text's sections. Interfaces that are no tunnels are left out beside one. */
export function joinSections(sections: readonly Section[]): readonly TunnelText[] {
  const byTunnel = new Map<string, Section[]>();
  for (const section of sections) {
    const known = byTunnel.get(section.tunnel);
    if (known) known.push(section);
    else byTunnel.set(section.tunnel, [section]);
  }
  const all = Array.from(byTunnel, ([name, parts]) => readTunnel(name, parts));
  const tunnels = all.filter((each) => each.isOwn || each.peers.length > 0 || each.listenPort !== "");
  return tunnels.length === 0 && all.length === 1 ? all : tunnels;
}

function readTunnel(name: string, sections: readonly Section[]): TunnelText {
  const entries = sections.filter(({ kind }) => kind === "interface").flatMap((each) => each.entries);
  const peers = sections.filter(({ kind }) => kind === "peer").map((each) => each.entries);
  const [firstKey = ""] = valuesOf(entries, interfaceKeys.privateKey);
  const [publicKey = ""] = valuesOf(entries, interfaceKeys.publicKey);
  const keyFiles = valuesOf(entries, interfaceKeys.privateKeyFile);
  const privateKey = isKey(firstKey) ? firstKey : "";
  return {
    name,
    privateKey,
    publicKey,
    isOwn: privateKey !== "" || publicKey !== "" || keyFiles.length > 0 || firstKey === "(hidden)",
    listenPort: valuesOf(entries, interfaceKeys.listenPort)[0] ?? "",
    mtu: valuesOf(entries, interfaceKeys.mtu)[0] ?? "",
    addresses: [
      ...listsOf(entries, interfaceKeys.addresses),
      ...valuesOf(entries, interfaceKeys.commands).flatMap((command) =>
        Array.from(command.matchAll(addedAddress), (match) => match[1] ?? ""),
      ),
    ],
    peers: peers.map(readPeer).filter((peer) => peer.publicKey !== "" || peer.host !== ""),
    hasPrivateKey: [entries, ...peers].some((each) => valuesOf(each, peerKeys.privateKey).some(isKey)),
    hasPresharedKey: peers.some((each) => valuesOf(each, peerKeys.presharedKey).some(isKey)),
  };
}

function readPeer(entries: Section["entries"]): PeerText {
  const endpoint = readEndpoint(valuesOf(entries, peerKeys.endpoint)[0] ?? "");
  const [host = ""] = valuesOf(entries, peerKeys.host);
  const [port = endpoint.port] = valuesOf(entries, peerKeys.port);
  return {
    publicKey: valuesOf(entries, peerKeys.publicKey)[0] ?? "",
    host: host === "" ? endpoint.host : readEndpoint(host).host,
    port,
    addresses: listsOf(entries, peerKeys.addresses),
  };
}

const isKey = (text: string) => parseKey(text) !== null;

/** Without placeholders, such as `<your private key>`. */
function valuesOf(entries: Section["entries"], keys: readonly string[]): string[] {
  return entries
    .filter(([key, value]) => keys.includes(key) && value !== "" && !/[<>]/.test(value))
    .map(([, value]) => value);
}

function listsOf(entries: Section["entries"], keys: readonly string[]): string[] {
  return valuesOf(entries, keys).flatMap((value) =>
    value.split(/[\s,;"'[\]]+/).filter((each) => each !== ""),
  );
}
