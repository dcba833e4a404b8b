import { messages } from "../../../contract/failure.ts";
import { passwordFault } from "../../../domain/password.ts";
import type { Db } from "../../db/open.ts";
import { Refusal } from "../../http/refusal.ts";
import { storePassword } from "./accounts.ts";
import { clientKey, type Limits } from "./limits.ts";
import type { Passwords } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";
import { consumeToken, findToken } from "./tokens.ts";

export interface SetPasswordDeps {
  readonly db: Db;
  readonly sessions: Pick<Sessions, "endAll" | "announceEnded">;
  readonly passwords: Pick<Passwords, "hash">;
  readonly accountLimits: Pick<Limits, "setPasswordPerClient">;
  readonly clock: () => number;
}

/** Whether a password is among those that are tried first. */
export type IsCommonPassword = (password: string) => boolean;

/**
 * Sets the password of the AS that a mailed token belongs to, uses the token up and ends all sessions of the
 * AS. Throws `Refusal` 400 for a token that is not valid, and 422 for a password that is not accepted, after
 * which the token is as good as before.
 */
export async function setPassword(
  deps: SetPasswordDeps,
  isCommon: IsCommonPassword,
  { token, password }: { readonly token: string; readonly password: string },
  clientAddress: string,
): Promise<void> {
  const { db, sessions, clock } = deps;
  await deps.accountLimits.setPasswordPerClient.take(clientKey(clientAddress));
  const holder = await findToken(db, token, clock());
  if (!holder) throw invalidToken();
  const { asn } = holder;
  const fault = passwordFault(password, asn) ?? commonFault(password, asn, isCommon);
  if (fault !== null) throw new Refusal(422, { message: fault, field: "password" });

  // Outside the transaction, which would hold up every other writer while it hashes.
  const hash = await deps.passwords.hash(password);
  await db.transaction().execute(async (tx) => {
    const now = clock();
    if (!(await consumeToken(tx, token, now))) throw invalidToken();
    await storePassword(tx, asn, hash, now);
    await sessions.endAll(tx, asn);
  });
  await sessions.announceEnded(asn);
}

function commonFault(password: string, asn: string, isCommon: IsCommonPassword): string | null {
  if (isCommon(password.replaceAll(asn, ""))) {
    return "This password is among the first that are tried. Choose one that nobody would guess, such as four random words.";
  }
  return null;
}

function invalidToken(): Refusal {
  return new Refusal(400, { message: messages.invalidToken });
}
