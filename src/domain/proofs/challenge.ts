/** The line that a participant signs to prove that an AS is theirs. */

export type ProofPurpose = "registration" | "reset";

export interface Challenge {
  /** The provider's domain. */
  readonly domain: string;
  readonly asn: string;
  readonly purpose: ProofPurpose;
  /** 32 hexadecimal digits. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const acts: Readonly<Record<ProofPurpose, string>> = {
  registration: "register",
  reset: "reset the password of",
};

/**
 * Renders the line to sign. It says to a reader what the signature is for, so that no one signs it for another act. It contains
 * nothing that a shell would change between single quotes.
 */
export function renderChallenge({ domain, asn, purpose, nonce, expiresAt }: Challenge): string {
  const until = new Date(expiresAt).toISOString().replace(/\.\d+Z$/, "Z");
  return `peerdeck ${domain}: ${acts[purpose]} AS${asn}, until ${until}, nonce ${nonce}`;
}

/** The namespace of SSH signatures for a provider, so that a signature for another one or for another program is not accepted. */
export function proofNamespace(domain: string): string {
  return `peerdeck@${domain}`;
}
