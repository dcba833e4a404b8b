import { isAsn } from "#domain/asn.ts";
import { formatAddress, parsePrefix } from "#domain/prefix.ts";

/** The fetched ROAs cannot be used; the message is a sentence with the reason. */
export class RoaError extends Error {
  override readonly name = "RoaError";
}

/**
 * Parses route origin authorisations in BIRD's syntax, `route 172.20.1.0/26 max 29 as 4242420001;`, one per
 * line; empty lines and comments are skipped.
 *
 * Each ROA is parsed and rendered again, so that nothing else can reach BIRD. One invalid line makes the
 * whole text unusable: half a file would cause the routes of the other half to be rejected.
 *
 * @param bits 32 for IPv4, 128 for IPv6
 * @throws RoaError
 */
export function parseRoas(text: string, bits: 32 | 128): readonly string[] {
  const roas = text.split("\n").flatMap((line, index) => {
    const [beforeComment = ""] = line.split("#", 1);
    const content = beforeComment.trim();
    if (content === "") return [];
    const roa = parseRoa(content, bits);
    if (roa === null) {
      throw new RoaError(
        `line ${index + 1} is not an ${bits === 32 ? "IPv4" : "IPv6"} ROA: ${JSON.stringify(content.slice(0, 80))}`,
      );
    }
    return [roa];
  });
  if (roas.length === 0) throw new RoaError("it contains no ROA");
  return roas;
}

function parseRoa(content: string, bits: 32 | 128): string | null {
  const match = /^route\s+(\S+)\s+max\s+([0-9]{1,3})\s+as\s+([0-9]{1,10})\s*;$/.exec(content);
  const [, net = "", longest = "", asn = ""] = match ?? [];
  const prefix = parsePrefix(net);
  const max = Number(longest);
  if (!prefix || prefix.bits !== bits || max < prefix.length || max > bits) return null;
  // AS 0 means that no AS may originate the prefix (RFC 6483, section 4).
  if (asn !== "0" && !isAsn(asn)) return null;
  return `route ${formatAddress(prefix)}/${prefix.length} max ${max} as ${asn};`;
}
