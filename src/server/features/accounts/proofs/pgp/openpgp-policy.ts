import type * as OpenPgp from "openpgp";

export type Library = typeof OpenPgp;

/**
 * Returns what this server relies on, whatever the defaults of the library become. The global configuration is not changed.
 * SHA-1 is accepted in the signatures inside a key, as by gpg: many old keys have no others, and a collision cannot be used
 * between signatures of different kinds. The key's fingerprint is SHA-1, too.
 */
export function createPolicy({ config, enums }: Library): OpenPgp.Config {
  return {
    ...config,
    rejectMessageHashAlgorithms: new Set([enums.hash.md5, enums.hash.ripemd, enums.hash.sha1]),
    rejectHashAlgorithms: new Set([enums.hash.md5, enums.hash.ripemd]),
    rejectPublicKeyAlgorithms: new Set([enums.publicKey.dsa, enums.publicKey.elgamal]),
    minRSABits,
    // The first program of this kind wrote no key flags. A subkey needs its own signature in any case.
    allowMissingKeyFlags: true,
    allowInsecureVerificationWithReformattedKeys: false,
    // Signatures of algorithms and versions that it does not know are as if they were absent; damaged ones refuse the key.
    ignoreUnsupportedPackets: true,
    ignoreMalformedPackets: false,
    enableParsingV5Entities: false,
    additionalAllowedPackets: [],
    enforceGrammar: true,
    knownNotations: [],
    // No such packet reaches the library.
    maxDecompressedMessageSize: 0,
    maxUserIDLength: 5 * 1024,
  };
}

export const minRSABits = 2048;
