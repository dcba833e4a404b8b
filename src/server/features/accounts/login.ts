import { isAsn } from "../../../domain/asn.ts";
import { toClientKey } from "../../api/rate-limits.ts";
import { HttpError, errorMessages } from "../../../contract/http-error.ts";
import type { AppContext } from "../../context.ts";
import { findPasswordHash } from "./accounts.ts";
import type { Passwords } from "./passwords.ts";

export type LoginContext = Pick<AppContext, "db" | "loginSessions" | "rateLimits">;

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly clientAddress: string;
}

/**
 * Starts a login session and returns its token. Throws `HttpError` 401 after the same work whether the AS has an
 * account or not, and 429 after too many failed attempts.
 */
export async function logIn(
  { db, loginSessions, rateLimits }: LoginContext,
  { passwords, knownClients }: { readonly passwords: Passwords; readonly knownClients: KnownClients },
  { username, password, clientAddress }: Credentials,
): Promise<string> {
  const client = toClientKey(clientAddress);
  const asn = isAsn(username) ? username : null;
  // Counted before the password is verified, so that parallel attempts count too, and given back on success.
  await rateLimits.loginPerClient.take(client);
  // A client that logged in as this AS before has its own limit: other clients cannot lock the AS out.
  const limitKey = asn !== null && knownClients.has(asn, client) ? `${asn} ${client}` : asn;
  if (limitKey !== null) await rateLimits.loginPerAs.take(limitKey);

  const giveBack = async () => {
    await rateLimits.loginPerClient.giveBack(client);
    if (limitKey !== null) await rateLimits.loginPerAs.giveBack(limitKey);
  };

  let isRight: boolean;
  try {
    const stored = asn === null ? null : await findPasswordHash(db, asn);
    isRight = await passwords.verify(password, stored);
  } catch (error) {
    // The queue was full or the database failed: the password was not verified, so it was no failed attempt.
    await giveBack();
    throw error;
  }
  if (asn === null || !isRight) throw new HttpError(401, { message: errorMessages.invalidCredentials });
  await giveBack();
  knownClients.add(asn, client);
  return loginSessions.start(asn);
}

/** The clients from which each AS has logged in. Their failed attempts are counted apart from those of other clients. */
export interface KnownClients {
  add(asn: string, client: string): void;
  has(asn: string, client: string): boolean;
}

const maxEntries = 10_000;

/** Kept in memory: a client that is forgotten only loses its separate limit. */
export function createKnownClients(): KnownClients {
  const known = new Set<string>();
  return {
    add(asn, client) {
      const entry = `${asn} ${client}`;
      // Moves the entry to the end: the set drops entries in the order of insertion.
      known.delete(entry);
      known.add(entry);
      const [oldest] = known;
      if (known.size > maxEntries && oldest !== undefined) known.delete(oldest);
    },
    has: (asn, client) => known.has(`${asn} ${client}`),
  };
}
