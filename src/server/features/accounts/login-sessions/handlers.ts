import { HttpError } from "#contract/http-error.ts";
import type { Handlers } from "#server/api/handlers.ts";
import type { LoginSessions } from "#server/api/login-sessions.ts";
import type { Db } from "#server/db/open.ts";
import { listLoginSessions } from "./list-login-sessions.ts";

export interface LoginSessionCallsContext {
  readonly db: Db;
  readonly loginSessions: Pick<LoginSessions, "endById">;
  readonly clock: () => number;
}

export function loginSessionHandlers({
  db,
  loginSessions,
  clock,
}: LoginSessionCallsContext): Pick<Handlers, "getLoginSessions" | "endLoginSession"> {
  return {
    getLoginSessions: (_, { asn, origin }) => listLoginSessions(db, asn, origin.loginSession, clock()),

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
