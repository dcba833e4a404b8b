import { HttpError } from "#contract/http-error.ts";
import type { Handlers } from "#server/api/handlers.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { AppContext } from "#server/context.ts";
import { readAccount } from "./read-account.ts";
import { confirmPassword } from "../login.ts";
import { announceNotice } from "../notices/notice-store.ts";
import type { Passwords } from "../passwords.ts";
import { cancelDeletion, findDeletion, startDeletion } from "./deletion-store.ts";
import { presentDeletion } from "./present-deletion.ts";

export type DeletionContext = Pick<
  AppContext,
  "db" | "events" | "profile" | "registry" | "rateLimits" | "clock"
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
      const confirmed = await confirmPassword(context, passwords, {
        asn,
        password,
        field: "password",
        origin,
      });
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
