import type { Handlers } from "../../api/handlers.ts";
import type { AuditOrigin } from "../../audit/audit-event.ts";
import type { LoginSessions } from "../../api/login-sessions.ts";
import { isDatabaseUnavailable } from "../../db/unavailable.ts";
import { loadCommonPasswordCheck } from "./common-passwords.ts";
import { createPasswordHasher, type Passwords } from "./passwords.ts";
import { requestLink, type RegistrationContext } from "./registration.ts";
import { setPassword, type SetPasswordContext } from "./set-password.ts";
import { checkLogin, type LoginContext } from "./login.ts";

type AccountCall = "login" | "authStatus" | "logout" | "sendEmailVerification" | "setPassword";

export function accountHandlers(
  context: RegistrationContext & SetPasswordContext & LoginContext,
  passwords: Passwords = createPasswordHasher(),
): Pick<Handlers, AccountCall> {
  const { loginSessions, knownClients } = context;
  const isCommon = loadCommonPasswordCheck([context.profile.name, context.profile.domain]);

  return {
    login: async ({ username, password }, request) => {
      const asn = await checkLogin(context, passwords, { ...request, username, password });
      const token = await loginSessions.start(asn, request.origin);
      if (request.loginToken !== null) await endReplaced(loginSessions, request.loginToken, request.origin);
      request.setLoginToken(token);
      request.setKnownClientCookie(knownClients.add(request.knownClientCookie, asn));
      return {};
    },

    authStatus: async (_, request) => {
      const { asn, loginToken } = request;
      // The app calls this before every navigation, so the cookie is extended together with the login session.
      if (asn !== null) request.setLoginToken(loginToken);
      return { isAuthenticated: asn !== null, username: asn ?? "" };
    },

    logout: async (_, request) => {
      const { loginToken, origin } = request;
      if (loginToken !== null) await loginSessions.end(loginToken, { kind: "logout", origin });
      request.setLoginToken(null);
      return {};
    },

    sendEmailVerification: async ({ asn, password_reset }, request) => {
      const purpose = password_reset === "Yes" ? "reset" : "registration";
      return { sent_to: await requestLink(context, asn, purpose, request) };
    },

    setPassword: async (requestBody, { origin }) => {
      await setPassword(context, { passwords, isCommon }, requestBody, origin);
      return {};
    },
  };
}

/** The browser no longer has this token, so a login does not fail if its row is locked. It then expires. */
async function endReplaced(loginSessions: LoginSessions, token: string, origin: AuditOrigin): Promise<void> {
  try {
    await loginSessions.end(token, { kind: "login-session-replaced", origin });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}
