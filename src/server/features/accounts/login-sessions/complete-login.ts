import type { RequestContext } from "#server/api/handlers.ts";
import type { LoginSessions } from "#server/api/login-sessions.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { isDatabaseUnavailable } from "#server/db/unavailable.ts";
import type { CheckedPassword } from "../login.ts";
import { startLoginSession, type StartLoginSessionContext } from "./start-login-session.ts";

/**
 * Logs the browser in: starts its login session, ends the one that it replaces, and sets its cookies. Throws `HttpError` as
 * `startLoginSession`.
 *
 * @param way for the audit log, if it was no password: "With Kioubit's authentication service."
 */
export async function completeLogin(
  context: StartLoginSessionContext,
  checked: CheckedPassword,
  request: RequestContext,
  way?: string,
): Promise<void> {
  const { loginSessions, knownClients } = context;
  const token = await startLoginSession(context, checked, request, way);
  if (request.loginToken !== null) await endReplaced(loginSessions, request.loginToken, request.origin);
  request.setLoginToken(token);
  request.setKnownClientCookie(knownClients.add(request.knownClientCookie, checked.asn));
}

/** Ends the login session that the browser has replaced. If its row is locked, the login goes on and the row expires. */
async function endReplaced(loginSessions: LoginSessions, token: string, origin: AuditOrigin): Promise<void> {
  try {
    await loginSessions.end(token, { kind: "login-session-replaced", origin });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
  }
}
