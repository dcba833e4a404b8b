import type { AuthProblem } from "#domain/proofs/auth-problems.ts";
import { splitComments } from "../objects.ts";
import type { PgpKey, SshKey } from "./auth-keys.ts";
import { isSshKeyType, readSshPublicKey } from "./ssh-public-key.ts";

/** What an `auth:` line names: a key, an object with one, or nothing that proves anything here. */
export type AuthLine =
  | Omit<SshKey, "maintainer">
  | Omit<PgpKey, "maintainer">
  | { readonly kind: "key-cert"; readonly name: string }
  | { readonly kind: "unusable"; readonly problem: AuthProblem };

const maxLineLength = 60;
/** A longer text is not worth the work, also if most of it is blanks. */
const maxReadLength = 1_000;
const fingerprintDigits = 40;

/** Reads the value of an `auth:` line. */
export function readAuthLine(value: string): AuthLine {
  const [first = "", ...words] = splitComments(value).text.split(/\s+/);
  const type = first.toLowerCase();
  if (isSshKeyType(type)) {
    const found = readSshPublicKey(type, words[0] ?? "");
    return "problem" in found ? { kind: "unusable", ...found } : { kind: "ssh", type, ...found };
  }
  if (type === "pgp-fingerprint") return readFingerprint(words);
  if (/^pgpkey-./.test(type)) return { kind: "key-cert", name: first.toUpperCase() };
  const problem = first === "" ? ({ code: "empty-line" } as const) : unsupported(first);
  return { kind: "unusable", problem };
}

function unsupported(type: string): AuthProblem {
  return { code: "unsupported-type", type: toShortLine(type) };
}

/** A fingerprint may be written in groups of digits. What follows it is a comment. */
function readFingerprint(words: readonly string[]): AuthLine {
  let digits = "";
  for (const word of words) {
    if (digits.length >= fingerprintDigits || !/^[0-9a-f]+$/i.test(word.replace(/^0x/i, ""))) break;
    digits += word.replace(/^0x/i, "");
  }
  if (digits.length === fingerprintDigits) {
    return { kind: "pgp", type: "pgp-fingerprint", fingerprint: digits.toUpperCase(), publicKey: null };
  }
  const isShort = digits !== "" && digits.length < fingerprintDigits;
  const problem = isShort
    ? ({ code: "short-fingerprint", digits: digits.length } as const)
    : ({ code: "unreadable-fingerprint" } as const);
  return { kind: "unusable", problem };
}

/** Shortens a text of the registry to one line of printable ASCII. */
export function toShortLine(text: string): string {
  const line = text
    .slice(0, maxReadLength)
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[^ -~]+/g, "?");
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 1)}…`;
}
