/** The keys with which the holder of an AS can prove that it is theirs: `auth:` lines of the maintainers of its aut-num. */
import type { AuthProblem } from "#domain/proofs/auth-problems.ts";

export interface SshKey {
  readonly kind: "ssh";
  /** "ADA-MNT" */
  readonly maintainer: string;
  /** "ssh-ed25519", "sk-ssh-ed25519@openssh.com" */
  readonly type: string;
  /** "SHA256:…", without padding, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /** The public key in SSH's wire format (RFC 4253, section 6.6). */
  readonly publicKey: Uint8Array;
}

export interface PgpKey {
  readonly kind: "pgp";
  readonly maintainer: string;
  /** "pgp-fingerprint" or the name of the key-cert object, "PGPKEY-0123ABCD". */
  readonly type: string;
  /** Of the primary key: 40 hexadecimal digits in upper case. */
  readonly fingerprint: string;
  /** The binary public key of a key-cert object; null if the registry has the fingerprint only. */
  readonly publicKey: Uint8Array | null;
}

export type AuthKey = SshKey | PgpKey;

export interface UnusableLine {
  readonly maintainer: string;
  /** The value, shortened to 60 characters. */
  readonly line: string;
  readonly problem: AuthProblem;
}

export interface AuthKeys {
  readonly keys: readonly AuthKey[];
  readonly unusable: readonly UnusableLine[];
}
