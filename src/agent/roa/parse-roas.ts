import { isAsn } from "../../domain/asn.ts";
import { formatAddress, parsePrefix } from "../../domain/prefix.ts";

/** What was fetched cannot be used; the message is a sentence that says why. */
export class RoaFault extends Error {
  override readonly name = "RoaFault";
}

/**
 * Reads route origin authorisations as BIRD writes them, `route 172.20.1.0/26 max 29 as 4242420001;`, one a
 * line, with empty lines and comments between.
 *
 * Each is read to its values and written anew, so that nothing but such routes can reach BIRD. A line that is
 * none makes the whole text unusable: half a file would refuse the routes of the other half.
 *
 * @param bits 32 for IPv4, 128 for IPv6
 * @throws RoaFault
 */
export function parseRoas(text: string, bits: 32 | 128): readonly string[] {
  const roas = text.split("\n").flatMap((line, index) => {
    const content = line.replace(/#.*$/, "").trim();
    if (content === "") return [];
    const roa = parseRoa(content, bits);
    if (roa === null) {
      throw new RoaFault(
        `line ${index + 1} is no ${bits === 32 ? "IPv4" : "IPv6"} ROA: ${JSON.stringify(content.slice(0, 80))}`,
      );
    }
    return [roa];
  });
  if (roas.length === 0) throw new RoaFault("it holds no ROA");
  return roas;
}

function parseRoa(content: string, bits: 32 | 128): string | null {
  const match = /^route\s+(\S+)\s+max\s+([0-9]{1,3})\s+as\s+([0-9]{1,10})\s*;$/.exec(content);
  const [, net = "", longest = "", asn = ""] = match ?? [];
  const prefix = parsePrefix(net);
  const max = Number(longest);
  if (!prefix || prefix.bits !== bits || max < prefix.length || max > bits) return null;
  // AS 0 says that nobody may announce it (RFC 6483, section 4).
  if (asn !== "0" && !isAsn(asn)) return null;
  return `route ${formatAddress(prefix)}/${prefix.length} max ${max} as ${asn};`;
}
