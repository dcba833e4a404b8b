/**
 * Names on the participant's router, as the generated configuration suggests them. A participant may peer with several
 * providers, whose nodes may have long or equal names, so a name depends on the provider's AS number too.
 */

/** Linux's limit for an interface name, which wg-quick shares. */
const maxInterfaceLength = 15;

/**
 * The participant's interface name for the tunnel to a node. wg-quick derives it from the file name.
 *
 * `dn42_2227_syd01` where that fits, and otherwise `dn42_`, the start of the node's name and a hash: the names of two
 * nodes are different. All begin with `dn42_`, so that one pattern of a firewall covers them. The characters are valid
 * for Linux, wg-quick and BIRD.
 *
 * @param providerAsn the provider's AS number: "4242422227".
 */
export function participantInterface(providerAsn: string, node: string): string {
  const provider = shortenAsn(providerAsn);
  const readable = `dn42_${provider}_${node.replaceAll("-", "_")}`;
  const fits = readable.length <= maxInterfaceLength;
  if (provider !== null && isReadable(node) && fits) return readable;
  const start = node.replaceAll(/[^a-z0-9]/g, "").slice(0, 3);
  return `dn42_${start}_${hashName(`${providerAsn} ${node}`)}`;
}

/** Whether a name stays unambiguous as a part of a readable one, also before the `_v4` of a BIRD protocol. */
function isReadable(node: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(node) && !/-v[46]$/.test(node);
}

/**
 * The last four digits of an AS number of dn42, as its participants write it. Other numbers are written whole. Null for
 * those that look like a shortened one or like the start of a node's name before its hash.
 */
function shortenAsn(asn: string): string | null {
  const shortened = /^424242([0-9]{4})$/.exec(asn)?.[1];
  if (shortened !== undefined) return shortened;
  return /^[0-9]{5,}$/.test(asn) ? asn : null;
}

const hashLength = 6;

/** Six letters and digits: FNV-1a (32 bits) in base 36. Unique enough for the few nodes of one participant. */
function hashName(text: string): string {
  const hash = Array.from(text, (character) => character.codePointAt(0) ?? 0).reduce(
    (sum, code) => Math.imul(sum ^ code, 0x0100_0193),
    0x811c_9dc5,
  );
  return ((hash >>> 0) % 36 ** hashLength).toString(36).padStart(hashLength, "0");
}
