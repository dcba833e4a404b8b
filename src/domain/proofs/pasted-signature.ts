/** Finds signatures and public keys in texts that participants paste: from a terminal, a mail or a chat, with what is around them. */
import { findSecret } from "../secrets/find-secret.ts";
import type { ProofRefusal } from "./proof-refusals.ts";

/** A signature that was found in a pasted text, without the text around it. */
export interface PastedSignature {
  /** `pgp-message`: a clear-signed PGP message, which contains the signed text. */
  readonly kind: "ssh" | "pgp" | "pgp-message";
  /** The armour from its first to its last line, with "\n" at the end of each. */
  readonly armour: string;
}

interface Refused {
  readonly refusal: ProofRefusal;
}

/** In characters. A signature has at most 3 kB. */
export const maxSignatureLength = 64 * 1024;
/** In characters, less than a request may have: a public key may have many user IDs and certifications. */
export const maxPublicKeyLength = 96 * 1024;

const kinds: Readonly<Record<string, PastedSignature["kind"]>> = {
  "SSH SIGNATURE": "ssh",
  "PGP SIGNATURE": "pgp",
  "PGP SIGNED MESSAGE": "pgp-message",
};

/** What follows the first marker of a whole signature. */
const followers: Readonly<Record<PastedSignature["kind"], readonly string[]>> = {
  ssh: ["END SSH SIGNATURE"],
  pgp: ["END PGP SIGNATURE"],
  "pgp-message": ["BEGIN PGP SIGNATURE", "END PGP SIGNATURE"],
};

/**
 * Finds the signature in a pasted text, or says why there is none. A private key is refused before anything else.
 * The result is a text that is read in the same way again, so that a browser can send the armour alone.
 */
export function readPastedSignature(text: string): PastedSignature | Refused {
  const lines = readLines(text, maxSignatureLength);
  if (typeof lines !== "string") return lines;
  const markers = findMarkers(lines);
  const starts = markers.filter(
    ({ name }, index) => isStart(name) && !isOfMessage(name, markers[index - 1]?.name),
  );
  const [first] = starts;
  if (!first) return refuse(explainMissing(lines));
  if (starts.length > 1) return refuse({ code: "several-signatures", count: starts.length });
  const kind = kinds[first.name.slice(beginLength)] ?? "ssh";
  const ends = markers.slice(markers.indexOf(first) + 1, markers.indexOf(first) + 1 + followers[kind].length);
  if (ends.map(({ name }) => name).join() !== followers[kind].join())
    return refuse({ code: "incomplete-signature" });
  return { kind, armour: renderArmour(lines, [first, ...ends]) };
}

/** Finds the PGP public keys in a pasted text, or says why there is none. A private key is refused before anything else. */
export function readPastedPublicKey(text: string): { readonly armour: string } | Refused {
  const lines = readLines(text, maxPublicKeyLength);
  if (typeof lines !== "string") return lines;
  const markers = findMarkers(lines).filter(({ name }) => name.endsWith(" PGP PUBLIC KEY BLOCK"));
  const isWhole = markers.every(({ name }, index) => name.startsWith(index % 2 === 0 ? "BEGIN" : "END"));
  if (markers.length === 0 || markers.length % 2 === 1 || !isWhole)
    return refuse({ code: "unreadable-public-key" });
  const blocks = markers.flatMap((begin, index) => {
    const end = markers[index + 1];
    return end && index % 2 === 0 ? renderArmour(lines, [begin, end]) : [];
  });
  return { armour: blocks.join("") };
}

const beginLength = "BEGIN ".length;

function isStart(name: string): boolean {
  return name.startsWith("BEGIN ") && name.slice(beginLength) in kinds;
}

/** Whether a marker begins the signature of a clear-signed message, instead of one of its own. */
function isOfMessage(name: string, previous: string | undefined): boolean {
  return name === "BEGIN PGP SIGNATURE" && previous === "BEGIN PGP SIGNED MESSAGE";
}

function refuse(refusal: ProofRefusal): Refused {
  return { refusal };
}

function readLines(text: string, maxLength: number): string | Refused {
  const isTooLong = text.length > maxLength;
  const lines = isTooLong ? text : cleanText(text);
  if (findSecret(lines) === "private-key") return refuse({ code: "private-key" });
  return isTooLong ? refuse({ code: "too-long", maxKilobytes: maxLength / 1024 }) : lines;
}

/** Lines that end in "\n", without invisible characters, indentation, marks of quotes and trailing blanks. */
function cleanText(text: string): string {
  return text
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/^[\s>|]+/, "").trimEnd())
    .join("\n")
    .replaceAll(/[^\S\n]/g, " ");
}

interface Marker {
  /** "BEGIN SSH SIGNATURE" */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function findMarkers(lines: string): readonly Marker[] {
  return Array.from(lines.matchAll(/-----((?:BEGIN|END) [A-Z0-9 ]{1,40})-----/g), (match) => ({
    name: match[1] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Renders the text between these markers as programs write it: base64 without blank lines, also if it was on one line. */
function renderArmour(lines: string, markers: readonly Marker[]): string {
  const parts = markers.map(({ name, end }, index) => {
    const next = markers[index + 1];
    return [`-----${name}-----`, ...(next ? renderBody(name, lines.slice(end, next.start)) : [])];
  });
  return `${parts.flat().join("\n")}\n`;
}

function renderBody(name: string, body: string): readonly string[] {
  if (name === "BEGIN SSH SIGNATURE") return splitBase64(body);
  const [headers, rest] = splitHeaders(body.replace(/^\n/, "").replace(/\n$/, "").split("\n"));
  return [...headers, "", ...(name === "BEGIN PGP SIGNED MESSAGE" ? rest : splitBase64(rest.join("\n")))];
}

function splitBase64(text: string): readonly string[] {
  return text.split(/\s+/).filter((part) => part !== "");
}

/** Splits headers such as "Hash: SHA512" from what follows them and one blank line, which may be lost. */
function splitHeaders(lines: readonly string[]): readonly [readonly string[], readonly string[]] {
  const count = lines.findIndex((line) => !/^[A-Za-z]{1,20}: /.test(line));
  const rest = lines.slice(count === -1 ? lines.length : count);
  return [lines.slice(0, lines.length - rest.length), rest.slice(rest[0] === "" ? 1 : 0)];
}

/** Says why a text has no beginning of a signature. */
function explainMissing(lines: string): ProofRefusal {
  // The beginning of "SSHSIG" in base64.
  if (/(?:BEGIN|END) (?:SSH|PGP) SIGN|\bU1NIU0lH/.test(lines)) return { code: "incomplete-signature" };
  if (lines.includes("-BEGIN PGP MESSAGE-")) return { code: "encrypted-message" };
  const isPublicKey =
    /BEGIN [A-Z0-9 ]{0,20}PUBLIC KEY/.test(lines) ||
    /(?:ssh-[a-z0-9]{3,10}|ecdsa-sha2-nistp\d{3}|@openssh\.com) AAAA/.test(lines);
  return { code: isPublicKey ? "public-key-instead" : "no-signature" };
}
