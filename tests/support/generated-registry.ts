/** A registry of any number of networks, for tests and benchmarks. */

/** A network with both address families; its AS number, and its prefixes as file names. */
export function networkOf(index: number) {
  return {
    asn: String(4_242_420_000 + index),
    ipv4: `172.${20 + (index >> 10)}.${(index >> 2) & 255}.${(index & 3) * 64}`,
    ipv6: `fd42:${(index + 1).toString(16)}:1::`,
  };
}

/** The AS object of a network, whose maintainer is `M…-MNT`. */
export function autNumOf(index: number): Readonly<Record<string, string>> {
  const { asn } = networkOf(index);
  return { [`aut-num/AS${asn}`]: `aut-num: AS${asn}\nmnt-by: M${index}-MNT\nsource: DN42\n` };
}

/** The objects of a network, without its maintainer. */
export function objectsOf(index: number): Readonly<Record<string, string>> {
  const { asn, ipv4, ipv6 } = networkOf(index);
  const maintainer = `mnt-by: M${index}-MNT\nsource: DN42\n`;
  return {
    ...autNumOf(index),
    [`route/${ipv4}_26`]: `route: ${ipv4}/26\norigin: AS${asn}\nmax-length: 26\n${maintainer}`,
    [`inetnum/${ipv4}_26`]: maintainer,
    [`route6/${ipv6}_48`]: `route6: ${ipv6}/48\norigin: AS${asn}\nmax-length: 48\n${maintainer}`,
    [`inet6num/${ipv6}_48`]: maintainer,
  };
}

/** Kinds of `auth:` lines that name a usable key. */
export type KeyShape = "pgp-fingerprint" | "ssh-rsa" | "ssh-ed25519" | "key-cert" | "ecdsa" | "sk";

/** Of so many networks, as a copy of dn42's registry of 2023 has them: how many have such a key, and how many have any. */
export const networksWithKeys = { all: 2001, any: 1751 };
const networksByShape: ReadonlyArray<readonly [KeyShape, number]> = [
  ["pgp-fingerprint", 1141],
  ["ssh-rsa", 560],
  ["ssh-ed25519", 400],
  ["key-cert", 80],
  ["ecdsa", 20],
  ["sk", 6],
];

/** Lines that prove nothing. Some networks have them beside keys, some have nothing else. */
const unusableLines: readonly string[] = [
  "",
  "ssh-dss AAAAB3NzaC1kc3MAAACBAP",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINxXvqPJM7rfIHFSJrPHZAZD",
  "MD5-PW $1$fgW84Y9r$kKEn9MUq8PChNKpQhO6BM.",
  "pgp-fingerprint 0x0123456789ABCDEF",
  "PGPKEY-89ABCDEF",
];

/**
 * The kinds of keys of a network. One kind after the other is laid round the networks that have any, so that each has one, and a
 * quarter of them two.
 */
export function shapesOf(index: number): readonly KeyShape[] {
  let start = 0;
  return networksByShape.flatMap(([shape, count]) => {
    const distance = (index - start + networksWithKeys.any) % networksWithKeys.any;
    start = (start + count) % networksWithKeys.any;
    return index < networksWithKeys.any && distance < count ? [shape] : [];
  });
}

export interface GeneratedKey {
  readonly shape: KeyShape;
  /** The value of `auth:`. */
  readonly auth: string;
}

/** The maintainer of a network, with keys of a pool in the ways in which people write them. */
export function maintainerOf(index: number, pool: readonly GeneratedKey[]): Readonly<Record<string, string>> {
  const lines = shapesOf(index).map((shape) => {
    const keys = pool.filter((key) => key.shape === shape);
    return vary(keys[index % keys.length]?.auth ?? "", index);
  });
  const step = index < networksWithKeys.any ? 50 : 4;
  const unusable = index % step === 0 ? [unusableLines[(index / step) % unusableLines.length] ?? ""] : [];
  const text = [...unusable, ...lines].map((line) => `auth:    ${line}\n`).join("");
  return { [`mntner/M${index}-MNT`]: `mntner: M${index}-MNT\n${text}mnt-by: M${index}-MNT\n` };
}

/** Digits in groups or in lower case, comments with and without a hash. */
function vary(auth: string, index: number): string {
  const variants = [
    auth,
    `${auth} participant@m${index}.example.net`,
    `${auth} # of network ${index}`,
    auth.startsWith("pgp-fingerprint")
      ? auth.toLowerCase().replaceAll(/[0-9a-f]{4}(?=[0-9a-f])/g, "$& ")
      : `${auth}  `,
  ];
  return variants[index % variants.length] ?? auth;
}
