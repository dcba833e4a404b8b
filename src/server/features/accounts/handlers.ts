import type { Handlers } from "../../http/handlers.ts";
import { readCommonPasswords } from "./common-passwords.ts";
import { requestLink, type RegistrationDeps } from "./registration.ts";
import type { Sessions } from "./sessions.ts";
import { setPassword, type SetPasswordDeps } from "./set-password.ts";
import { signIn, type SignInDeps } from "./sign-in.ts";

export type AccountDeps = RegistrationDeps &
  SetPasswordDeps &
  SignInDeps & { readonly sessions: Pick<Sessions, "end"> };

type AccountCall = "login" | "authStatus" | "logout" | "sendEmailVerification" | "setPassword";

export function accountHandlers(deps: AccountDeps): Pick<Handlers, AccountCall> {
  const { sessions } = deps;
  const isCommon = readCommonPasswords();

  return {
    login: async ({ username, password }, exchange) => {
      const token = await signIn(deps, username, password, exchange.clientAddress);
      if (exchange.sessionToken !== null) await sessions.end(exchange.sessionToken);
      exchange.setSessionToken(token);
      return {};
    },

    authStatus: async (_, exchange) => {
      const { asn, sessionToken } = exchange;
      // Asked before every navigation: the cookie's end is put off together with the session's.
      if (asn !== null) exchange.setSessionToken(sessionToken);
      return { isAuthenticated: asn !== null, username: asn ?? "" };
    },

    logout: async (_, exchange) => {
      if (exchange.sessionToken !== null) await sessions.end(exchange.sessionToken);
      exchange.setSessionToken(null);
      return {};
    },

    sendEmailVerification: async ({ asn, password_reset }, { clientAddress }) => {
      await requestLink(deps, asn, password_reset === "Yes" ? "reset" : "registration", clientAddress);
      return {};
    },

    setPassword: async (body, { clientAddress }) => {
      await setPassword(deps, isCommon, body, clientAddress);
      return {};
    },
  };
}
