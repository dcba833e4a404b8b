import { createPublicKey, verify } from "node:crypto";
import * as v from "valibot";
import { isAsn } from "#domain/asn.ts";
import type { KioubitFailure } from "#domain/proofs/kioubit-failures.ts";

/** The query of the address at which the browser comes back. */
export interface KioubitReturn {
  /** Base64 of JSON. The signature is over this text, not over what it decodes to. */
  readonly params: string;
  /** Base64 of an ASN.1 ECDSA signature with SHA-512. */
  readonly signature: string;
}

export interface Expected {
  /** PEM, of a key on P-521. */
  readonly publicKey: string;
  /** The public URL that the browser used. */
  readonly publicUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ConfirmedAs {
  readonly asn: string;
  /** The nonce of the challenge with which the browser was sent to the service. */
  readonly nonce: string;
}

const maxAgeSeconds = 60;
/** How far the service's clock may be ahead. */
const maxAheadSeconds = 10;
/** A response has some hundred characters. */
const maxLength = 8192;

/** What the service signs, as its public verifiers read it. Other fields, such as the maintainers, are not used. */
const signedParams = v.object({
  asn: v.pipe(v.string(), v.check(isAsn)),
  /** Seconds since 1970. */
  time: v.pipe(v.number(), v.finite()),
  /** The host of the address to which the browser returns. */
  domain: v.string(),
  /** The `token` with which the browser was sent. */
  user_token: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** Verifies a response of the service with the pinned key, without a request to it. The caller consumes the nonce. */
export function verifyReturn(
  { params, signature }: KioubitReturn,
  { publicKey, publicUrl, now }: Expected,
): ConfirmedAs | { readonly failure: KioubitFailure } {
  if (params.length > maxLength || signature.length > maxLength) return { failure: "unverified" };
  // A "+" that the service did not encode arrives as a blank.
  const signed = params.replaceAll(" ", "+");
  const key = { key: createPublicKey(publicKey), dsaEncoding: "der" } as const;
  const bytes = Buffer.from(signature.replaceAll(" ", "+"), "base64");
  if (!verify("sha512", Buffer.from(signed), key, bytes)) return { failure: "unverified" };
  const parsed = v.safeParse(signedParams, parseJson(Buffer.from(signed, "base64").toString()));
  if (!parsed.success) return { failure: "unverified" };
  const { asn, time, domain, user_token: nonce } = parsed.output;
  const { host, hostname } = new URL(publicUrl);
  if (domain !== host && domain !== hostname) return { failure: "other-host" };
  const ageSeconds = now / 1000 - time;
  if (ageSeconds > maxAgeSeconds || ageSeconds < -maxAheadSeconds) return { failure: "late" };
  return { asn, nonce };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
