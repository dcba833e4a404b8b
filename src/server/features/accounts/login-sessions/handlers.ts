import { HttpError } from "#contract/http-error.ts";
import type { Handlers } from "#server/api/handlers.ts";
import type { AppContext } from "#server/context.ts";
import { listLoginSessions } from "./list-login-sessions.ts";

export type LoginSessionContext = Pick<AppContext, "db" | "loginSessions" | "clock">;

export function loginSessionHandlers({
  db,
  loginSessions,
  clock,
}: LoginSessionContext): Pick<Handlers, "getLoginSessions" | "endLoginSession"> {
  return {
    getLoginSessions: (_requestBody, { asn, origin }) =>
      listLoginSessions(db, asn, origin.loginSession, clock()),

    endLoginSession: async ({ id }, request) => {
      const { asn, origin } = request;
      if (!(await loginSessions.endById(asn, id, origin))) {
        throw new HttpError(404, {
          message: "This login session has already ended. Nothing was changed.",
          field: "id",
        });
      }
      if (id === origin.loginSession) request.setLoginToken(null);
      return {};
    },
  };
}
