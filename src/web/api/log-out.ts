/** The logout itself. Only the manager loads it. */
import type { QueryClient } from "@tanstack/react-query";
import { CallError, UnreadableResponseError } from "../../contract/client.ts";
import { cancelLogout, completeLogout, requestLogout, startLogout } from "../../browser-storage/owner.ts";
import { unsubscribeFromPushService } from "../browser/push-subscription.ts";
import { broadcast } from "../browser/tabs.ts";
import { logFailedCall } from "./log-failed-call.ts";
import { authStatusQuery, endLoginSession } from "./login-session.ts";

/**
 * Logs out. Rejects with `CallError` if the server refuses it: nothing has changed then. Without a response in time, the
 * logout is pending: this device and all its tabs have forgotten the AS.
 */
export async function logOut(queryClient: QueryClient): Promise<void> {
  await requestLogout();
  // The server would refuse the requests in progress once the login session has ended.
  await queryClient.cancelQueries();
  const isEnded = await endLoginSession().then(
    () => true,
    async (error: unknown) => {
      logFailedCall(error);
      // What cannot be read is no response of the server, for example a captive portal's page.
      if (!(error instanceof CallError) || error instanceof UnreadableResponseError) return false;
      await cancelLogout();
      void queryClient.invalidateQueries();
      throw error;
    },
  );
  await startLogout();
  if (isEnded) await completeLogout();
  broadcast({ type: "logged-out" });
  const { queryKey } = authStatusQuery();
  // A response to a request sent before the logout is outdated.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, { isAuthenticated: false, username: "" });
  // From here on no subscription is kept (push.ts). The push service may be slow, and the logout does not wait for it.
  void unsubscribeFromPushService().catch(() => undefined);
}
