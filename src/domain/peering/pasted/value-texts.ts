/** The values of a peering as people write them: with brackets, prefix lengths, zones, dots at the end and other letters. */
import { isHostName } from "../../host-name.ts";
import { parseIpv4 } from "../../ipv4.ts";
import { parseIpv6Text } from "../../ipv6.ts";
import { parsePrefix } from "../../prefix.ts";

/** Without the spaces and line ends around a value, and without invisible marks of no width. */
export function trimPasted(text: string): string {
  return text.replaceAll(/[\u200B\u2060\uFEFF]/g, "").trim();
}

export interface EndpointText {
  readonly host: string;
  /** Empty without one. */
  readonly port: string;
}

/** Splits `host:port`, `[2001:db8::1]:51820` and `2001:db8::1`. A dot at the end of the host is removed. */
export function readEndpoint(text: string): EndpointText {
  const bracketed = /^\[([^\]]{1,80})\](?::([0-9]{1,6}))?$/.exec(text);
  if (bracketed) return { host: bracketed[1] ?? "", port: bracketed[2] ?? "" };
  const [host = "", port = "", ...more] = text.split(":", 3);
  return more.length > 0 ? { host: text, port: "" } : { host: withoutFinalDot(host), port };
}

function withoutFinalDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

export interface AddressText {
  readonly field: "peer_ipv4" | "peer_ipv6";
  readonly address: string;
  /** Null without one. */
  readonly prefixLength: number | null;
}

/** Reads an address with or without brackets, a zone and a prefix length. Null for a network and any other text. */
export function readAddress(text: string): AddressText | null {
  const match = /^\[?([0-9a-f:.]{2,45})(?:%[\w.~-]{1,15})?\]?(?:\/([0-9]{1,3}))?(?:%[\w.~-]{1,15})?$/i.exec(
    text,
  );
  const [, address = "", length] = match ?? [];
  const field = parseIpv4(address) === null ? "peer_ipv6" : "peer_ipv4";
  if (field === "peer_ipv6" && parseIpv6Text(address) === null) return null;
  const longest = field === "peer_ipv4" ? 32 : 128;
  const prefixLength = length === undefined ? null : Number(length);
  if (prefixLength !== null && prefixLength > longest) return null;
  const isNetwork =
    prefixLength !== null && prefixLength < longest && parsePrefix(`${address}/${length}`) !== null;
  return isNetwork ? null : { field, address, prefixLength };
}

/** Scripts of which a label may consist, beside digits and hyphens. Chinese and Japanese mix theirs. */
const scripts = [
  ["Latin"],
  ["Cyrillic"],
  ["Greek"],
  ["Armenian"],
  ["Georgian"],
  ["Hebrew"],
  ["Arabic"],
  ["Devanagari"],
  ["Bengali"],
  ["Tamil"],
  ["Thai"],
  ["Hangul"],
  ["Han", "Hiragana", "Katakana"],
].map(
  (names) => new RegExp(`^[-0-9\\p{M}ー${names.map((name) => `\\p{Script=${name}}`).join("")}]{1,63}$`, "u"),
);

/**
 * Converts an internationalised host name to A-labels (RFC 5890). Null for an ASCII name, for a label of mixed scripts,
 * which can look like another name, and for a text that is no name.
 *
 * @param toAscii converts a name as browsers do
 */
export function convertHostName(text: string, toAscii: (name: string) => string | null): string | null {
  // eslint-disable-next-line no-control-regex
  if (text.length > 253 || /^[\u0000-\u007F]*$/.test(text)) return null;
  const name = text.normalize("NFC").toLowerCase();
  // Letters that only look different, such as those of full width.
  if (name !== name.normalize("NFKC")) return null;
  if (!name.split(".").every((label) => scripts.some((script) => script.test(label)))) return null;
  const converted = toAscii(name);
  return converted !== null && isHostName(converted) ? converted : null;
}
