/** The sentences of refused proofs: what is wrong, and what to do. */
import type { ProofRefusal } from "./proof-refusals.ts";

export function describeProofRefusal(refusal: ProofRefusal): string {
  switch (refusal.code) {
    case "private-key":
      return "This contains a private key. It was not sent or saved. Paste the signature instead, and keep the key to yourself.";
    case "public-key-instead":
      return "This is a public key, not a signature. Run the command above and paste what it prints.";
    case "no-signature":
      return 'This contains no signature. Paste all of it, from "-----BEGIN" to the last "-----".';
    case "incomplete-signature":
      return 'The signature is not whole. Paste all lines, from "-----BEGIN" to the last "-----".';
    case "several-signatures":
      return `This contains ${refusal.count} signatures. Paste only the one of the text above.`;
    case "too-long":
      return `This is longer than ${refusal.maxKilobytes} kB, so it was not sent. Paste only the signature.`;
    case "encrypted-message":
      return 'This is a PGP message, which Peerdeck does not unpack. Sign with "gpg --clearsign" or "gpg --armor --detach-sign".';
    case "unreadable-signature":
      return "This signature cannot be read. Run the command again and paste what it prints.";
    case "other-key":
      return `This was signed with ${refusal.fingerprint}, which the registry does not list for this AS. Sign with one of the keys above.`;
    case "other-namespace":
      return `This was signed for "${refusal.given}" instead of "${refusal.expected}". Run the command above as it is.`;
    case "other-text":
      return "This is the signature of another text. Sign the text above: each one is new.";
    case "wrong-signature":
      return "This signature does not fit the text above. Copy the whole command again and paste what it prints.";
    case "short-rsa-key":
      return `This RSA key has ${refusal.bits} bits; fewer than 2048 are not accepted. Sign with another key.`;
    case "weak-hash":
      return `This signature uses ${refusal.hash}, which can be forged. Sign again with a newer program.`;
    case "unsupported-key":
      return `A signature with ${refusal.type} is not accepted. Sign with an Ed25519, ECDSA or RSA key.`;
    case "untouched-key":
      return "Your security key was not touched for this signature. Sign with a key that asks for a touch.";
    case "public-key-needed":
      return "The registry has only the fingerprint of your PGP key. Paste the public key, too.";
    case "other-public-key":
      return `This public key has the fingerprint ${refusal.given}, which the registry does not list for this AS.`;
    case "unreadable-public-key":
      return 'This is not a whole PGP public key. Paste what "gpg --armor --export" prints.';
    case "expired-key":
      return `The key ${refusal.fingerprint} has expired. Extend it and paste the public key again, or sign with another key.`;
    case "revoked-key":
      return `The key ${refusal.fingerprint} was revoked. Sign with another key.`;
    case "foreign-subkey":
      return `The key ${refusal.fingerprint} is not a signing subkey of your PGP key. Sign with a key that is bound to it.`;
    case "no-signing-key":
      return `The key ${refusal.fingerprint} is not made for signing. Sign with your primary key or a signing subkey.`;
    case "uncertified-key":
      return `The public key ${refusal.fingerprint} has no user ID with a valid signature. Export it again with "gpg --armor --export".`;
    case "expired-key-cert":
      return `The key ${refusal.fingerprint} has expired in its key-cert object. Extend it and update the object, or sign with another key.`;
    case "unsupported-version":
      return `This is a PGP key or signature of version ${refusal.version}. Use a key of version 4, whose fingerprint has 40 digits.`;
    case "large-public-key":
      return `This public key has more than ${refusal.maxParts} parts. Paste what "gpg --armor --export-options export-minimal --export" prints.`;
    case "wrong-clock":
      return `This signature is dated ${new Date(refusal.signedAt).toISOString()}, in the future. Set your computer's clock and sign again.`;
  }
}
