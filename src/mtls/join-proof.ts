/**
 * The proof that an agent and a server have the same join token: an HMAC over texts that name the fingerprints of both. A proxy
 * that terminates TLS between them can neither replace a fingerprint nor answer for the other side.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { parseFingerprint } from "./tls-identity.ts";

const idBytes = 9;
const secretBytes = 32;
const idLength = 12;
const secretLength = 43;

/** A single-use secret of a node that is to join. */
export interface JoinToken {
  /** Identifies the token; not secret. 12 characters, base64url. */
  readonly id: string;
  /** 43 characters, base64url. */
  readonly secret: string;
}

export function createJoinToken(): JoinToken {
  return {
    id: randomBytes(idBytes).toString("base64url"),
    secret: randomBytes(secretBytes).toString("base64url"),
  };
}

/** What `peerdeck-agent join` receives. */
export interface JoinLine extends JoinToken {
  /** The server's public URL, without a trailing slash. */
  readonly url: string;
  /** Of the server's certificate for agents, in the form of `parseFingerprint`. */
  readonly serverFingerprint: string;
}

/** "https://peering.example.net#TOKEN". Programs do not send the fragment of a URL. */
export function formatJoinLine({ url, id, secret, serverFingerprint }: JoinLine): string {
  const fingerprint = Buffer.from(serverFingerprint.replaceAll(":", ""), "hex").toString("base64url");
  return `${url}#${id}${secret}${fingerprint}`;
}

/** Parses what `formatJoinLine` returns; null for anything else. */
export function parseJoinLine(text: string): JoinLine | null {
  const [address = "", token = "", ...rest] = text.trim().split("#");
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol) || rest.length > 0) return null;
  if (!/^[\w-]{98}$/.test(token)) return null;
  const id = token.slice(0, idLength);
  const secret = token.slice(idLength, idLength + secretLength);
  const bytes = Buffer.from(token.slice(idLength + secretLength), "base64url");
  const serverFingerprint = parseFingerprint(bytes.toString("hex"));
  return serverFingerprint === null ? null : { url: url.origin, id, secret, serverFingerprint };
}

/** The proof of an agent for the text of its request. */
export function proveRequest({ secret }: Pick<JoinToken, "secret">, request: string): string {
  return prove(secret, ["agent", request]);
}

/** The proof of a server for the text of its response to a request. */
export function proveResponse(
  { secret }: Pick<JoinToken, "secret">,
  request: string,
  response: string,
): string {
  return prove(secret, ["server", request, response]);
}

/** Compares two proofs in a time that does not depend on them. */
export function isSameProof(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function prove(secret: string, texts: readonly string[]): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["peerdeck join", ...texts]))
    .digest("base64url");
}
