/** Calls with which a visitor proves that an AS is theirs, by a key of the registry instead of a mail (decision 86). */
import * as v from "valibot";
import { defineCalls } from "../../call.ts";
import * as e from "../../entities.ts";

/** A key of a maintainer of the AS with which a challenge can be signed. */
export const proofKey = v.object({
  kind: v.picklist(["ssh", "pgp"]),
  /** "ADA-MNT" */
  maintainer: v.string(),
  /** As the registry writes it: "ssh-ed25519", "pgp-fingerprint", "PGPKEY-0123ABCD". */
  type: v.string(),
  /** As `ssh-keygen -l` prints it, "SHA256:…", or the 40 hex digits of a PGP key's fingerprint in upper case. */
  fingerprint: v.string(),
  /** True if the registry has the fingerprint of a PGP key only, so that the public key has to be sent too. */
  needs_public_key: v.boolean(),
});
export type ProofKey = v.InferOutput<typeof proofKey>;

/** An `auth:` line that proves nothing here. */
export const unusableAuth = v.object({
  maintainer: v.string(),
  /** The line without `auth:`, shortened. */
  line: v.string(),
  /** A sentence that says what is wrong with it and what to do. */
  reason: v.string(),
});
export type UnusableAuth = v.InferOutput<typeof unusableAuth>;

export const proofRequest = v.object({
  challenge: v.object({
    /** 128 random bits, hexadecimal. */
    id: v.string(),
    /** The line to sign, without a line break. */
    text: v.string(),
    /** Milliseconds since 1970 by the server's clock. */
    expires: v.number(),
  }),
  /** The namespace of an SSH signature: "peerdeck@example.net". */
  namespace: v.string(),
  keys: v.array(proofKey),
  unusable: v.array(unusableAuth),
});
export type ProofRequest = v.InferOutput<typeof proofRequest>;

/** A signature with its text, or with a public key of many user IDs and certifications. */
export const maxProofBytes = 128 * 1024;

/** All are beyond the specification. */
export const proofCalls = defineCalls({
  requestProof: {
    method: "POST",
    path: "/api/requestProof",
    access: "public",
    optional: true,
    body: v.object({ asn: e.asn, password_reset: v.optional(v.literal("Yes")) }),
    response: proofRequest,
  },
  proveOwnership: {
    method: "POST",
    path: "/api/proveOwnership",
    access: "public",
    optional: true,
    maxBodyBytes: maxProofBytes,
    body: v.object({
      /** The ID of the challenge, requested by the same browser. */
      challenge: v.string(),
      /** An armoured SSH or PGP signature, or a clear-signed PGP message. Text around it is ignored. */
      signature: v.string(),
      /** The armoured PGP public key, where the registry has its fingerprint only. */
      public_key: v.optional(v.string(), ""),
    }),
    /** The token for `setPassword`, as in a mailed link. */
    response: v.object({ token: v.string(), purpose: v.picklist(["registration", "reset"]) }),
  },
});
