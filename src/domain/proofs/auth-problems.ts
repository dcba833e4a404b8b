/** Why an `auth:` line of the registry cannot prove that an AS is a participant's: codes with facts, and their sentences. */

export type AuthProblem =
  | { readonly code: "empty-line" }
  | { readonly code: "too-many-lines"; readonly max: number }
  | { readonly code: "unsupported-type"; readonly type: string }
  | { readonly code: "unreadable-key"; readonly type: string }
  | { readonly code: "short-rsa-key"; readonly bits: number }
  | { readonly code: "long-rsa-key"; readonly bits: number; readonly maxBits: number }
  | { readonly code: "short-fingerprint"; readonly digits: number }
  | { readonly code: "unreadable-fingerprint" }
  | { readonly code: "no-key-cert"; readonly name: string }
  | { readonly code: "unreadable-key-cert"; readonly name: string }
  | { readonly code: "other-pgp-version"; readonly name: string; readonly version: number };

/** Returns a sentence that says what is wrong with the line and what to do. */
export function describeAuthProblem(problem: AuthProblem): string {
  switch (problem.code) {
    case "empty-line":
      return 'This "auth:" line is empty. Add the line of your .pub file, or "pgp-fingerprint" and the fingerprint.';
    case "too-many-lines":
      return `Peerdeck reads the first ${problem.max} "auth:" lines of a maintainer. Move the line of your key up.`;
    case "unsupported-type":
      return `Peerdeck does not accept ${problem.type} here. Add an SSH key (ssh-ed25519) or a PGP fingerprint to the maintainer.`;
    case "unreadable-key":
      return `This is not a whole ${problem.type} key. Copy the line of your .pub file into "auth:" again.`;
    case "short-rsa-key":
      return `This RSA key has ${problem.bits} bits; fewer than 2048 are not accepted. Add a longer key or an ssh-ed25519 key.`;
    case "long-rsa-key":
      return `This RSA key has ${problem.bits} bits; more than ${problem.maxBits} are not accepted. Add a shorter key or an ssh-ed25519 key.`;
    case "short-fingerprint":
      return `A PGP fingerprint has 40 digits; this has ${problem.digits}. A short key ID can be forged: write the whole fingerprint.`;
    case "unreadable-fingerprint":
      return 'This is not a PGP fingerprint of 40 digits. Write what "gpg --fingerprint" prints for your key.';
    case "no-key-cert":
      return `The registry has no key-cert object ${problem.name}. Add it, or write "pgp-fingerprint" with the whole fingerprint.`;
    case "unreadable-key-cert":
      return `The key-cert object ${problem.name} contains no whole PGP key, or several of which "fingerpr:" names none. Fix it, or write "pgp-fingerprint" with the whole fingerprint.`;
    case "other-pgp-version":
      return `The PGP key in ${problem.name} has version ${problem.version}; only version 4 is accepted. Add a key of a current GnuPG.`;
  }
}
