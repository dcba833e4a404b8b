import { HttpError } from "#contract/http-error.ts";
import type { RequestContext } from "#server/api/handlers.ts";
import type { AppContext } from "#server/context.ts";

const recentMs = 15 * 60_000;

/**
 * Throws `HttpError` 403 if the login was more than 15 minutes ago: the finder of an open browser, or of an old cookie, cannot give
 * themselves a way in that lasts.
 */
export async function assertRecentLogin(
  { loginSessions }: Pick<AppContext, "loginSessions">,
  { loginToken }: Pick<RequestContext, "loginToken">,
): Promise<void> {
  const age = loginToken === null ? null : await loginSessions.readAge(loginToken);
  // The clocks of two servers differ a little.
  if (age !== null && Math.abs(age) <= recentMs) return;
  throw new HttpError(403, {
    message: "This change needs a login of the last 15 minutes. Nothing was changed; log in again.",
    needs: "recent-login",
  });
}
