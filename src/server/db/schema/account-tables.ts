/** The tables of accounts and of the ways into them, as Kysely sees them. */
import type { ColumnType } from "kysely";

type FixedAtInsert<T> = ColumnType<T, T, never>;

export interface AccountsTable {
  asn: FixedAtInsert<string>;
  password_hash: string;
  created_at: FixedAtInsert<number>;
  /** Null until the first login after the registration. */
  first_login_at: ColumnType<number | null, null | undefined, number>;
  /** `Registry.findHolder` when the password was last set by a link. */
  verified_holder: string;
  /** When the holder was last compared with the registry. */
  checked_at: number;
  /** When another holder was found. No links are mailed until the operator releases the account. */
  flagged_at: number | null;
  /** The holder that was found then. */
  flagged_holder: string | null;
  /** When the participant turned the password off, so that only passkeys log in; null: it is on. The hash then fits no password. */
  password_off_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** The user handle (WebAuthn) of all passkeys: random, base64url; null before the first one. */
  passkey_handle: ColumnType<string | null, string | null | undefined, string>;
}

/** One row per AS: a newer token replaces the older one. */
export interface AccountTokensTable {
  /** SHA-256 of the token, base64url. */
  hash: string;
  asn: FixedAtInsert<string>;
  purpose: "registration" | "reset";
  /** `Registry.findHolder` when the link was mailed, or the AS proved. */
  holder: string;
  expires_at: number;
  /** What proved that the AS is the participant's, for the audit log: "the SSH key SHA256:…"; null: a mailed link. */
  proof: string | null;
}

/** A nonce that the same browser returns once, signed. */
export interface ChallengesTable {
  /** 32 hexadecimal digits. */
  nonce: FixedAtInsert<string>;
  purpose: FixedAtInsert<ChallengePurpose>;
  /** Null if the proof names the AS. */
  asn: FixedAtInsert<string | null>;
  /** SHA-256 of the browser's challenge cookie, base64url. */
  browser: FixedAtInsert<string>;
  expires_at: FixedAtInsert<number>;
}

export type ChallengePurpose = "registration" | "reset" | "login" | "passkey-login" | "passkey-addition";

export interface PasskeysTable {
  /** The credential ID, base64url. */
  id: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  /** The RP ID: the hostname of the public URL where it was added. It works at this host only. */
  host: FixedAtInsert<string>;
  /** COSE, base64url. */
  public_key: FixedAtInsert<string>;
  /** The signature counter at the last use. */
  counter: number;
  /** Entered by the participant. */
  name: FixedAtInsert<string>;
  created_at: FixedAtInsert<number>;
  /** The last login with it; null: none. */
  used_at: number | null;
}

export interface ApiTokensTable {
  /** SHA-256 of the token's secret part, base64url. */
  hash: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  /** Entered by the participant. */
  name: FixedAtInsert<string>;
  scope: FixedAtInsert<"read" | "change">;
  /** The only node that it may act on; null: all nodes. */
  node: FixedAtInsert<string | null>;
  /** 1 if another password ends it. */
  ends_with_password: FixedAtInsert<number>;
  created_at: FixedAtInsert<number>;
  expires_at: FixedAtInsert<number>;
  /** The last use, to the hour; null: never. */
  used_at: ColumnType<number | null, null | undefined, number>;
  /** Where the last use came from: "198.51.100.0/24"; null if it is not known. */
  used_prefix: ColumnType<string | null, null | undefined, string | null>;
}

export interface LoginSessionsTable {
  /** SHA-256 of the cookie's token, base64url. */
  hash: FixedAtInsert<string>;
  asn: FixedAtInsert<string>;
  created_at: FixedAtInsert<number>;
  /** At most 90 days after `created_at`. */
  expires_at: number;
  /** The last visit, to the hour. */
  used_at: number;
  /** Where the login came from: "198.51.100.0/24"; null if it is not known. */
  address_prefix: FixedAtInsert<string | null>;
  /** "Firefox on Linux" */
  browser: FixedAtInsert<string>;
}
