import type { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import type { kioubitCalls } from "#contract/call-tables/accounts/kioubit-calls.ts";
import type { passkeyCalls } from "#contract/call-tables/accounts/passkey-calls.ts";
import type { proofCalls } from "#contract/call-tables/accounts/proof-calls.ts";
import type { tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import type { Handlers } from "../../api/handlers.ts";
import { changePassword } from "./change-password.ts";
import { loadCommonPasswordCheck } from "./common-passwords.ts";
import { createPasswordHasher, type Passwords } from "./passwords.ts";
import { requestLink, type RegistrationContext } from "./registration.ts";
import { setPassword, type SetPasswordContext } from "./set-password.ts";
import { checkLogin, type LoginContext } from "./login.ts";
import { deletionHandlers, type DeletionContext } from "./deletion/handlers.ts";
import { exportHandlers, type ExportContext } from "./export/handlers.ts";
import { kioubitHandlers } from "./kioubit/handlers.ts";
import { type ProofContext, proofHandlers } from "./proofs/handlers.ts";
import { completeLogin } from "./login-sessions/complete-login.ts";
import { loginSessionHandlers } from "./login-sessions/handlers.ts";
import { type PasskeyContext, passkeyHandlers } from "./passkeys/handlers.ts";
import { type TokenContext, tokenHandlers } from "./tokens/handlers.ts";

type AccountCall =
  | "login"
  | "authStatus"
  | "logout"
  | "sendEmailVerification"
  | "setPassword"
  | keyof typeof accountCalls
  | keyof typeof proofCalls
  | keyof typeof kioubitCalls
  | keyof typeof passkeyCalls
  | keyof typeof tokenCalls;

export function accountHandlers(
  context: RegistrationContext &
    SetPasswordContext &
    LoginContext &
    DeletionContext &
    ExportContext &
    ProofContext &
    PasskeyContext &
    TokenContext,
  passwords: Passwords = createPasswordHasher(),
): Pick<Handlers, AccountCall> {
  const { loginSessions, knownClients } = context;
  const isCommon = loadCommonPasswordCheck([context.profile.name, context.profile.domain]);

  return {
    ...loginSessionHandlers(context),
    ...deletionHandlers(context, passwords),
    ...exportHandlers(context),
    ...proofHandlers(context),
    ...kioubitHandlers(context),
    ...passkeyHandlers(context, passwords),
    ...tokenHandlers(context),

    login: async ({ username, password }, request) => {
      const checked = await checkLogin(context, passwords, { ...request, username, password });
      await completeLogin(context, checked, request);
      return {};
    },

    authStatus: async (_requestBody, request) => {
      const { asn, loginToken } = request;
      // The app calls this before every navigation, so the cookie is extended together with the login session.
      if (asn !== null) request.setLoginToken(loginToken);
      return { isAuthenticated: asn !== null, username: asn ?? "" };
    },

    logout: async (_requestBody, request) => {
      const { loginToken, origin } = request;
      if (loginToken !== null) await loginSessions.end(loginToken, { kind: "logout", origin });
      request.setLoginToken(null);
      return {};
    },

    sendEmailVerification: async ({ asn, password_reset }, request) => {
      const purpose = password_reset === "Yes" ? "reset" : "registration";
      const { sentTo, refused } = await requestLink(context, asn, purpose, request);
      return { sent_to: [...sentTo], ...(refused.length > 0 && { refused: [...refused] }) };
    },

    setPassword: async (requestBody, request) => {
      const { asn } = await setPassword(context, { passwords, isCommon }, requestBody, request.origin);
      // Wrong passwords of strangers, sent while the link was on its way, do not stop the first login.
      request.setKnownClientCookie(knownClients.add(request.knownClientCookie, asn));
      return {};
    },

    changePassword: async ({ current_password: currentPassword, password }, request) => {
      const { asn, loginToken, origin } = request;
      const change = { asn, loginToken: loginToken ?? "", currentPassword, password };
      request.setLoginToken(await changePassword(context, { passwords, isCommon }, change, origin));
      return {};
    },
  };
}
