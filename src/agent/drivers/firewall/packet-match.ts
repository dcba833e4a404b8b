/** Whether a packet matches a condition of a rule, in the JSON of `nft list ruleset`. */
import { type Address, contains, parseAddress, parsePrefix } from "#domain/prefix.ts";
import type { Elements } from "./ruleset.ts";

/**
 * A TCP packet as participants send and receive them. Its ports are not known, so that a rule for ports is not about it, except
 * for BGP's own.
 */
export interface SamplePacket {
  readonly family: "ip" | "ip6";
  /** Null where the hook has none. */
  readonly iif: string | null;
  readonly oif: string | null;
  readonly saddr: Address;
  readonly daddr: Address;
  /** A forwarded packet starts a connection. A session of the node may have been opened by either end. */
  readonly state: "new" | "established";
  /** Whether it belongs to a BGP session. */
  readonly isBgp: boolean;
}

/** Null: the text does not say. */
export type IsMatching = boolean | null;

export interface Match {
  readonly op: string;
  readonly left?: unknown;
  readonly right: unknown;
}

const bgpPort = 179;
const portFields = new Set(["sport", "dport"]);
const protocolFields = new Set(["protocol", "nexthdr"]);

export function matches({ op, left, right }: Match, packet: SamplePacket, elements: Elements): IsMatching {
  if (op !== "==" && op !== "!=" && op !== "in") return null;
  const found = matchesValue(left, right, packet, elements);
  return op === "!=" && found !== null ? !found : found;
}

/** Whether the packet's value is the one of the rule, or one of its set. */
export function matchesValue(
  left: unknown,
  right: unknown,
  packet: SamplePacket,
  elements: Elements,
): IsMatching {
  if (typeof right === "string" && right.startsWith("@")) {
    const named = elements.get(right);
    return named === undefined ? null : matchesValue(left, { set: named }, packet, elements);
  }
  const all = listOf(right);
  if (all !== null) return anyOf(all.map((each) => matchesValue(left, each, packet, elements)));
  const parts = partsOf(left);
  if (parts !== null) {
    const values = partsOf(right);
    if (values?.length !== parts.length) return null;
    return allOf(parts.map((part, index) => matchesValue(part, values[index], packet, elements)));
  }
  return matchesOne(left, right, packet);
}

function matchesOne(left: unknown, right: unknown, packet: SamplePacket): IsMatching {
  const { meta, payload, ct } = (left ?? {}) as {
    readonly meta?: { readonly key?: string };
    readonly payload?: { readonly protocol?: string; readonly field?: string };
    readonly ct?: { readonly key?: string };
  };
  if (ct) return ct.key === "state" ? right === packet.state : null;
  if (meta) return matchesMeta(meta.key ?? "", right, packet);
  const { protocol = "", field = "" } = payload ?? {};
  if (protocol === "ip" || protocol === "ip6") {
    if (protocol !== packet.family) return false;
    if (field === "saddr" || field === "daddr") return matchesAddress(right, packet[field]);
    return protocolFields.has(field) ? isTcp(right) : null;
  }
  if (protocol === "tcp" || protocol === "th") {
    if (!portFields.has(field)) return null;
    // Which end of a session opened it is not known.
    return packet.isBgp && isInRange(right, bgpPort) ? null : false;
  }
  return protocol === "" ? null : false;
}

function matchesMeta(key: string, right: unknown, packet: SamplePacket): IsMatching {
  switch (key) {
    case "iifname":
    case "iif":
      return matchesName(right, packet.iif);
    case "oifname":
    case "oif":
      return matchesName(right, packet.oif);
    case "nfproto":
      return right === (packet.family === "ip" ? "ipv4" : "ipv6");
    case "protocol":
      return right === packet.family;
    case "l4proto":
      return isTcp(right);
    default:
      return null;
  }
}

/** A name of a rule may end with a wildcard. */
function matchesName(pattern: unknown, name: string | null): IsMatching {
  if (typeof pattern !== "string") return null;
  if (name === null) return false;
  return isCovered(name, pattern);
}

/** Whether a pattern like `dn42_*` covers a name. */
export function isCovered(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function matchesAddress(right: unknown, address: Address): IsMatching {
  if (typeof right === "string") {
    const other = parseAddress(right);
    return other && other.bits === address.bits && other.value === address.value;
  }
  const { prefix, range } = (right ?? {}) as {
    readonly prefix?: { readonly addr: string; readonly len: number };
    readonly range?: readonly unknown[];
  };
  if (prefix) {
    const outer = parsePrefix(`${prefix.addr}/${prefix.len}`);
    return outer && contains(outer, address);
  }
  const [from, to] = (range ?? []).map((end) => parseAddress(String(end)));
  return from && to ? from.value <= address.value && address.value <= to.value : null;
}

const isTcp = (value: unknown) => value === "tcp" || value === 6;

function isInRange(value: unknown, port: number): boolean {
  const [from = 0, to = 0] = (value as { readonly range?: readonly number[] } | null)?.range ?? [];
  return value === port || (from <= port && port <= to);
}

/** The values of a set in a rule, and those of `ct state established,related`. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as readonly unknown[];
  const { set, elem } = (value ?? {}) as {
    readonly set?: unknown;
    readonly elem?: { readonly val: unknown };
  };
  if (elem) return [elem.val];
  return Array.isArray(set) ? (set as readonly unknown[]) : null;
}

function partsOf(value: unknown): readonly unknown[] | null {
  const { concat } = (value ?? {}) as { readonly concat?: readonly unknown[] };
  return concat ?? null;
}

function anyOf(found: readonly IsMatching[]): IsMatching {
  return found.includes(true) || (found.includes(null) ? null : false);
}

function allOf(found: readonly IsMatching[]): IsMatching {
  return !found.includes(false) && (found.includes(null) ? null : true);
}
