/** Finds WireGuard's private and pre-shared keys in a participant's text, before the text is stored or sent. */

/** `key`: a key without a label, which may be a private one. */
export type SecretKind = "private-key" | "pre-shared-key" | "key";

/** The labels of secret keys in configurations and in the output of `wg`. A label applies to the next key of its line. */
export const secretLabels = {
  "private-key": "priv(?:ate)?[-_ ]?key",
  "pre-shared-key": String.raw`shared[-_ ]?key|\bpsk`,
} as const;

const labels = new RegExp(
  `(${secretLabels["private-key"]})|(?:${secretLabels["pre-shared-key"]})(?![a-z])`,
  "gi",
);

/**
 * What labels a key as public. It is directly before the key: of `wg pubkey <<< KEY` and of `PUBKEY=$(echo KEY | wg
 * pubkey)`, the key is private.
 */
const publicLabel =
  /(?:public[-_ ]?key|\bpub(?:lic|[-_ ]?key)|\bpeer)["']?[\s:=>.]*(?:(?:is|changed to) )?["'\s]*$/i;

/** With what is between it and the key. */
const longestLabel = 40;

/** The fingerprint of another kind of key. */
const fingerprintLabel = /\bsha\d+[:-]$/i;

/** The labels of private keys of other kinds (RFC 7468, PuTTY), and how the base64 of OpenSSH's begins ("openssh-key-v1"). */
const fileLabel =
  /(?:BEGIN|END) [A-Z0-9 ]{0,20}PRIVATE KEY|PuTTY-User-Key-File|Private-Lines:|b3BlbnNzaC1rZXktdjEA/;

/** Long enough for most of a key: of a labelled one, a part is a secret as well. The alphabets are those of RFC 4648. */
const base64Runs = /[A-Za-z0-9+/_-]{30,}=*/g;

/** The length of a key with one character more or less. Hashes in hexadecimal digits are shorter, or have one case. */
const keyLength = 42;

/** The most serious secret in a text, or null. A key that is labelled as public or as a peer's is none. */
export function findSecret(text: string): SecretKind | null {
  if (fileLabel.test(text)) return "private-key";
  const kinds = findKinds(text);
  return (["private-key", "pre-shared-key", "key"] as const).find((kind) => kinds.includes(kind)) ?? null;
}

/** The kinds of all secrets in a text. */
function findKinds(text: string): readonly SecretKind[] {
  return splitLines(text).flatMap((line) => {
    let end = 0;
    return Array.from(line.matchAll(base64Runs), (run) => {
      const before = line.slice(end, run.index);
      end = run.index + run[0].length;
      return isKey(run[0]) ? classify(before, run[0]) : null;
    }).filter((kind) => kind !== null);
  });
}

/** The lines of a text, without the escapes of URLs and JSON. A line that ends in a label continues in the next one. */
function splitLines(text: string): readonly string[] {
  return text
    .replaceAll(/%2B/gi, "+")
    .replaceAll(/%2F|\\\//gi, "/")
    .replaceAll(/%3D/gi, "=")
    .replaceAll(/%20/g, " ")
    .replaceAll(/\\\r?\n[ \t]*/g, "")
    .replaceAll(/([:=])[ \t]*\r?\n[ \t]*/g, "$1 ")
    .split(/[\n\r\u2028\u2029]/);
}

function classify(before: string, run: string): SecretKind | null {
  if (publicLabel.test(before.slice(-longestLabel)) || fingerprintLabel.test(before) || /^sha\d+-/i.test(run))
    return null;
  const label = Array.from(before.matchAll(labels)).at(-1);
  if (label) return label[1] === undefined ? "pre-shared-key" : "private-key";
  return run.length >= keyLength && !/^[0-9a-f]+$/i.test(run) ? "key" : null;
}

/** Names in lower case, paths and most hashes have characters of two kinds, and almost all keys of three. */
function isKey(run: string): boolean {
  if (run.length > keyLength && run.endsWith("=")) return true;
  return (/[A-Z]/.test(run) && /[a-z]/.test(run) && /[0-9+/]/.test(run)) || /^[0-9a-f]{64}$/i.test(run);
}
