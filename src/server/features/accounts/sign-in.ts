import { messages } from "../../../contract/failure.ts";
import { isAsn } from "../../../domain/asn.ts";
import type { Db } from "../../db/open.ts";
import { Refusal } from "../../http/refusal.ts";
import { findPasswordHash } from "./accounts.ts";
import type { FamiliarClients } from "./familiar-clients.ts";
import { clientKey, type Limits } from "./limits.ts";
import type { Passwords } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";

export interface SignInDeps {
  readonly db: Db;
  readonly sessions: Pick<Sessions, "start">;
  readonly passwords: Pick<Passwords, "verify">;
  readonly accountLimits: Pick<Limits, "signInPerAs" | "signInPerClient">;
  readonly familiarClients: FamiliarClients;
}

/**
 * Begins a session and answers its token. Throws `Refusal` 401 after the same work whether the AS has an
 * account or not, and 429 after too many failures.
 */
export async function signIn(
  { db, sessions, passwords, accountLimits, familiarClients }: SignInDeps,
  username: string,
  password: string,
  clientAddress: string,
): Promise<string> {
  const client = clientKey(clientAddress);
  const asn = isAsn(username) ? username : null;
  // Counted before the password is looked at, so that many guesses at once are many, and given back after.
  await accountLimits.signInPerClient.take(client);
  // Where the AS has signed in before, only failures from there count: strangers cannot keep it out.
  const guesser = asn !== null && familiarClients.knows(asn, client) ? `${asn} ${client}` : asn;
  if (guesser !== null) await accountLimits.signInPerAs.take(guesser);

  const giveBack = async () => {
    await accountLimits.signInPerClient.giveBack(client);
    if (guesser !== null) await accountLimits.signInPerAs.giveBack(guesser);
  };

  let right: boolean;
  try {
    const stored = asn === null ? null : await findPasswordHash(db, asn);
    right = await passwords.verify(password, stored);
  } catch (error) {
    // Too many at once, or no database: nobody looked at the password, so it was no failed attempt.
    await giveBack();
    throw error;
  }
  if (asn === null || !right) throw new Refusal(401, { message: messages.invalidCredentials });
  await giveBack();
  familiarClients.remember(asn, client);
  return sessions.start(asn);
}
