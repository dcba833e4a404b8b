import { parseIpv4 } from "../../domain/ipv4.ts";
import { parseFingerprint } from "../../mtls/tls-identity.ts";
import { isWholeNumber, number, parsed, text } from "../../system/config/config-values.ts";
import { parseEndpoint, parseLinkLocal } from "./profile-addresses.ts";
import { isHttpUrl, label } from "./profile-values.ts";

/** What the values of a node must be, in the profile, in the arguments of commands and in a request to join. */
export const nodeValues = {
  name: text("1 to 20 lower-case letters, digits and hyphens", (given) => /^[a-z0-9-]{1,20}$/.test(given)),
  place: label,
  lat: number("a latitude from -90 to 90", (value) => Math.abs(value) <= 90),
  lon: number("a longitude from -180 to 180", (value) => Math.abs(value) <= 180),
  endpoint: parsed("a public IPv4 or IPv6 address, or a hostname", parseEndpoint),
  tunnelIpv4: text("an IPv4 address", (given) => parseIpv4(given) !== null),
  linkLocal: parsed("an address within fe80::/64, without a zone", parseLinkLocal),
  maxPeerings: number("a whole number from 0 to 1000000", (value) => isWholeNumber(value, 0, 1_000_000)),
  agentUrl: parsed("an https URL such as https://192.0.2.11:4243", parseAgentUrl),
  agentFingerprint: parsed(
    "the SHA-256 fingerprint that peerdeck-agent setup prints, 64 hexadecimal digits with or without colons",
    parseFingerprint,
  ),
};

/** Without a user, a path or a query. */
function parseAgentUrl(given: string): string | null {
  const url = isHttpUrl(given) ? URL.parse(given) : null;
  if (url?.protocol !== "https:" || url.port === "0") return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}
