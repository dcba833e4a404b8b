import type { Handlers } from "../../api/handlers.ts";
import { loadCommonPasswordCheck } from "./common-passwords.ts";
import { createPasswordHasher, type Passwords } from "./passwords.ts";
import { requestLink, type RegistrationContext } from "./registration.ts";
import { setPassword, type SetPasswordContext } from "./set-password.ts";
import { logIn, type LoginContext, createKnownClients } from "./login.ts";

type AccountCall = "login" | "authStatus" | "logout" | "sendEmailVerification" | "setPassword";

export function accountHandlers(
  context: RegistrationContext & SetPasswordContext & LoginContext,
  passwords: Passwords = createPasswordHasher(),
): Pick<Handlers, AccountCall> {
  const { loginSessions } = context;
  const knownClients = createKnownClients();
  const isCommon = loadCommonPasswordCheck();

  return {
    login: async ({ username, password }, request) => {
      const credentials = { username, password, clientAddress: request.clientAddress };
      const token = await logIn(context, { passwords, knownClients }, credentials);
      if (request.loginToken !== null) await loginSessions.end(request.loginToken);
      request.setLoginToken(token);
      return {};
    },

    authStatus: async (_, request) => {
      const { asn, loginToken } = request;
      // The app calls this before every navigation, so the cookie is extended together with the login session.
      if (asn !== null) request.setLoginToken(loginToken);
      return { isAuthenticated: asn !== null, username: asn ?? "" };
    },

    logout: async (_, request) => {
      if (request.loginToken !== null) await loginSessions.end(request.loginToken);
      request.setLoginToken(null);
      return {};
    },

    sendEmailVerification: async ({ asn, password_reset }, { clientAddress }) => {
      await requestLink(context, asn, password_reset === "Yes" ? "reset" : "registration", clientAddress);
      return {};
    },

    setPassword: async (requestBody, { clientAddress }) => {
      await setPassword(context, { passwords, isCommon }, requestBody, clientAddress);
      return {};
    },
  };
}
