import type { RequestContext } from "#server/api/handlers.ts";
import type { LoginSessions } from "#server/api/login-sessions.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { isDatabaseUnavailable } from "#server/db/unavailable.ts";
import { type ProvenLogin, startLoginSession, type StartLoginSessionContext } from "./start-login-session.ts";

/**
 * Logs the browser in: starts its login session, ends the one that it replaces, and sets its cookies. Throws `HttpError` as
 * `startLoginSession`.
 */
export async function completeLogin(
  context: StartLoginSessionContext,
  proven: ProvenLogin,
  request: RequestContext,
): Promise<void> {
  const { loginSessions, knownClients } = context;
  const token = await startLoginSession(context, proven, request);
  if (request.loginToken !== null) await endReplaced(loginSessions, request.loginToken, request.origin);
  request.setLoginToken(token);
  request.setKnownClientCookie(knownClients.add(request.knownClientCookie, proven.asn));
}

/** Ends the login session that the browser has replaced. If its row is locked, the login goes on and the row expires. */
async function endReplaced(loginSessions: LoginSessions, token: string, origin: AuditOrigin): Promise<void> {
  try {
    await loginSessions.end(token, { kind: "login-session-replaced", origin });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}
