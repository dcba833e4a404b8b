import { HttpError } from "#contract/http-error.ts";
import type { Handlers, LoggedInContext } from "#server/api/handlers.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { AppContext } from "#server/context.ts";
import { readAccount } from "./read-account.ts";
import { findPasswordHash } from "../accounts.ts";
import { type CheckedPassword, confirmPassword } from "../login.ts";
import { announceNotice } from "../notices/notice-store.ts";
import { isPasswordOff } from "../passkeys/passkey-rows.ts";
import { assertRecentLogin } from "../passkeys/recent-login.ts";
import type { Passwords } from "../passwords.ts";
import { cancelDeletion, findDeletion, startDeletion } from "./deletion-store.ts";
import { presentDeletion } from "./present-deletion.ts";

export type DeletionContext = Pick<
  AppContext,
  "db" | "events" | "profile" | "registry" | "rateLimits" | "loginSessions" | "clock"
>;

type DeletionCall = "getAccount" | "deleteAccount" | "cancelAccountDeletion" | "getAccountDeletion";

export function deletionHandlers(
  context: DeletionContext,
  passwords: Passwords,
): Pick<Handlers, DeletionCall> {
  const { db, events, clock } = context;
  return {
    getAccount: (_requestBody, { asn }) => readAccount(context, asn),

    deleteAccount: async ({ password }, request) => {
      const { asn, origin } = request;
      const confirmed = await confirmDeletion(context, passwords, password, request);
      const deletion = await startDeletion(db, confirmed, origin, clock());
      if (!deletion) throw notLoggedInError();
      await events.publish("accountDeletion", { asn });
      await announceNotice(events, asn);
      return presentDeletion(context, deletion);
    },

    cancelAccountDeletion: async (_requestBody, { asn, origin }) => {
      if (await cancelDeletion(db, asn, origin, clock())) return {};
      throw new HttpError(404, { message: `No deletion of the account of AS${asn} is running.` });
    },

    getAccountDeletion: async ({ id }) => {
      const deletion = await findDeletion(db, id);
      if (deletion) return presentDeletion(context, deletion);
      throw new HttpError(404, { message: "There is no such deletion of an account.", field: "id" });
    },
  };
}

/** Confirms a deletion by the password. Where it is turned off, by a login of the last minutes. */
async function confirmDeletion(
  context: DeletionContext,
  passwords: Passwords,
  password: string,
  request: LoggedInContext,
): Promise<CheckedPassword> {
  const { db } = context;
  const { asn, origin } = request;
  if (!(await isPasswordOff(db, asn)))
    return confirmPassword(context, passwords, { asn, password, field: "password", origin });
  await assertRecentLogin(context, request);
  const hash = await findPasswordHash(db, asn);
  if (hash === null) throw notLoggedInError();
  return { asn, hash };
}
