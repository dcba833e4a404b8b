/** Reads wg-quick, `wg showconf` and `wg show`, systemd-networkd, NetworkManager's keyfile, and labelled values without headings. */
import { interfaceKeyNames, normaliseKey, peerKeyNames, type Section } from "./tunnel-text.ts";

const heading = /^\[([^\]]{1,80})\]$/;
const assignment = /^([a-z][\w -]{0,40})[=:](.*)$/i;

/** The sections about the tunnel itself. In `Address`, `Network` and `Match`, networkd has its addresses and its name. */
const interfaceHeadings = new Set([
  "interface",
  "netdev",
  "wireguard",
  "match",
  "network",
  "address",
  "ipv4",
  "ipv6",
]);

export function readIni(lines: readonly string[]): readonly Section[] {
  const reader = createReader();
  for (const line of lines) {
    const text = line.replace(/#.*/, "").trim();
    if (text === "" || text.startsWith(";")) continue;
    const title = heading.exec(text)?.[1];
    const [, key, value = ""] = assignment.exec(text) ?? [];
    if (title !== undefined) reader.readHeading(title);
    else if (key !== undefined) reader.readValue(normaliseKey(key), unquote(value));
  }
  return reader.sections;
}

/** `"value";` */
function unquote(text: string): string {
  const value = text.trim();
  const inner = value.endsWith(";") ? value.slice(0, -1) : value;
  return /^(["']).*\1$/.test(inner) ? inner.slice(1, -1) : inner;
}

function createReader() {
  const sections: Section[] = [];
  /** networkd's tunnels by name: a .network file matches one. */
  const names = new Map<string, string>();
  const defined = new Set<string>();
  let title = "";
  /** Whether the tunnel has its private key: another `[WireGuard]` is another tunnel. */
  let hasKey = false;
  let tunnel = "";
  let current: Section | null = null;

  const open = (kind: Section["kind"]): Section => {
    const section: Section = { tunnel, kind, entries: [] };
    sections.push(section);
    return section;
  };
  const startTunnel = (name = "") => {
    tunnel = name === "" ? (defined.size === 0 ? "" : `#${defined.size}`) : name;
    defined.add(tunnel);
    hasKey = false;
  };
  const readName = (value: string) => {
    const known = names.get(value);
    if (title === "match" && known === undefined && names.size > 0) startTunnel(value);
    else if (title === "match" && known !== undefined) tunnel = known;
    else names.set(value, tunnel);
    current = open("interface");
  };
  const findSection = (key: string): Section | null => {
    // Without headings, the key says what it is about.
    if (title !== "") return current;
    const kind = key !== "publickey" && interfaceKeyNames.has(key) ? "interface" : "peer";
    if (kind === "peer" && !peerKeyNames.has(key)) return null;
    return sections.find((each) => each.tunnel === tunnel && each.kind === kind) ?? open(kind);
  };

  return {
    sections,
    readHeading(text: string) {
      const peerKey = /^wireguard-peer\.(.{1,80})$/i.exec(text)?.[1];
      title = text.toLowerCase();
      if (title === "interface" || title === "netdev") startTunnel();
      if (title === "wireguard" && hasKey) startTunnel();
      const isPeer = title === "peer" || title === "wireguardpeer" || peerKey !== undefined;
      current = isPeer ? open("peer") : interfaceHeadings.has(title) ? open("interface") : null;
      if (peerKey !== undefined) current?.entries.push(["publickey", peerKey]);
    },
    readValue(key: string, value: string) {
      if (key === "interface") {
        // `wg show` prints this line before each interface.
        title = "wg show";
        startTunnel(value);
        current = open("interface");
      } else if (key === "peer" && title !== "address") {
        title = "wg show";
        current = open("peer");
        current.entries.push(["publickey", value]);
      } else if (key === "name" && (title === "netdev" || title === "match")) readName(value);
      else {
        if (key.startsWith("privatekey")) hasKey = true;
        findSection(key)?.entries.push([key, value]);
      }
    },
  };
}
