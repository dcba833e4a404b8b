/**
 * The login session of this browser: which AS is logged in, as the server says, or, where the server gives no response,
 * as this tab and this device last knew.
 *
 * - A rejected request means logged out. No response changes nothing.
 * - A logout clears this device at once, in every tab. If the server cannot be reached, the logout is pending, and this
 *   device stays logged out, until the server has ended the login session.
 */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { calls } from "../../contract/calls.ts";
import type { AuthStatus } from "../../contract/entities.ts";
import {
  clearOwner,
  completeLogout,
  isLogoutPending,
  setOwner,
  startLogout,
} from "../../browser-storage/owner.ts";
import { pushQueryPrefix, unsubscribeFromPushService } from "../browser/push-subscription.ts";
import { clearAccountStores } from "../browser/store.ts";
import { broadcast, onBroadcast } from "../browser/tabs.ts";
import { call, read, UnreachableError } from "./client.ts";
import { providerQuery } from "./provider.ts";

declare global {
  interface Window {
    /** Set by the script in index.html, which requests the auth status while the app is loading. */
    prefetchedAuthStatus?: Promise<Response>;
  }
}

const anonymous: AuthStatus = { isAuthenticated: false, username: "" };
const logoutTimeoutMs = 5_000;

/** @param prefetched the response, if the request has been sent already. */
export function authStatusQuery(prefetched?: Promise<Response>) {
  return queryOptions({
    queryKey: ["auth-status"],
    queryFn: (context) => read(context, calls.authStatus, undefined, prefetched),
    retry: false,
  });
}

/**
 * Asks the server which AS is logged in. An error response counts as logged out. Without a response the last known state
 * stays, so that a bad connection does not discard a filled form. While a logout is pending, this device stays
 * logged out, whatever the server still says.
 */
export async function refreshLoginSession(queryClient: QueryClient): Promise<AuthStatus> {
  const prefetched = takePrefetchedAuthStatus();
  const isPending = await isLogoutPending();
  const query = authStatusQuery(isPending ? undefined : prefetched);
  const { queryKey } = query;
  if (isPending && !(await logOutOnServer()))
    return queryClient.setQueryData(queryKey, anonymous) ?? anonymous;
  try {
    const before = queryClient.getQueryData(queryKey);
    const requestedAt = Date.now();
    const authStatus = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    // The worker does the same. Before it has started, drafts need an owner too.
    if (authStatus.username !== before?.username)
      await (authStatus.isAuthenticated ? setOwner(authStatus.username, requestedAt) : clearOwner());
    return authStatus;
  } catch (error) {
    const known = error instanceof UnreachableError ? queryClient.getQueryData(queryKey) : undefined;
    return queryClient.setQueryData(queryKey, known ?? anonymous) ?? anonymous;
  }
}

/**
 * Refreshes the login session in the background. If another AS is logged in now, data of the previous one is removed
 * from this tab.
 *
 * @param onChanged called if an AS was logged in before, and now none or another one is.
 */
export async function recheckLoginSession(queryClient: QueryClient, onChanged: () => void): Promise<void> {
  const { queryKey } = authStatusQuery();
  const before = queryClient.getQueryData(queryKey);
  const authStatus = await refreshLoginSession(queryClient);
  if (before?.isAuthenticated !== true || authStatus.username === before.username) return;
  if (authStatus.isAuthenticated) {
    clearAccountData(queryClient, authStatus.username);
    queryClient.setQueryData(queryKey, authStatus);
  }
  onChanged();
}

/**
 * For `beforeLoad` of protected routes: the logged-in AS, or a redirect to the login screen that leads back. An AS that
 * is known to be logged in is not checked again: the server rejects every request after the login session has ended,
 * and `recheckLoginSession`, which is in progress, then leads to the login screen.
 */
export async function requireLoginSession(queryClient: QueryClient, href: string): Promise<AuthStatus> {
  const known = queryClient.getQueryData(authStatusQuery().queryKey);
  const authStatus = known?.isAuthenticated === true ? known : await refreshLoginSession(queryClient);
  if (authStatus.isAuthenticated) return authStatus;
  // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
  throw redirect({ to: "/login", search: href === "/manager" ? {} : { from: href } });
}

/**
 * Updates this browser after a successful login: completes a pending logout, and removes data of other accounts in every
 * tab.
 */
export async function handleLogin(queryClient: QueryClient, username: string): Promise<void> {
  // The login has replaced the cookie of a login session that could not be ended.
  await completeLogout();
  clearAccountData(queryClient, username);
  broadcast({ type: "signed-in", username });
}

/**
 * Follows logins and logouts of other tabs, for the lifetime of this one.
 *
 * @param onChanged called when the AS that was logged in here no longer is.
 */
export function syncLoginSessionAcrossTabs(queryClient: QueryClient, onChanged: () => void): void {
  onBroadcast((message) => {
    if (message.type !== "signed-out" && message.type !== "signed-in") return;
    const next = message.type === "signed-in" ? message.username : undefined;
    const known = queryClient.getQueryData(authStatusQuery().queryKey);
    if (next !== undefined && next === known?.username) return;
    clearAccountData(queryClient, next);
    onChanged();
  });
}

/**
 * Ends a login session on the server whose logout is pending. Returns false if the server cannot be reached: it is
 * retried with every navigation, and before a login.
 */
export async function finishPendingLogout(): Promise<boolean> {
  return (await isLogoutPending()) ? logOutOnServer() : true;
}

async function logOutOnServer(): Promise<boolean> {
  try {
    await call(calls.logout, undefined, { signal: AbortSignal.timeout(logoutTimeoutMs) });
  } catch {
    return false;
  }
  await completeLogout();
  return true;
}

/**
 * Logs out. The device and all its tabs forget the AS at once. Returns whether the server has ended the login session;
 * if not, the logout is pending.
 */
export async function logOut(queryClient: QueryClient): Promise<boolean> {
  await startLogout();
  broadcast({ type: "signed-out" });
  // The push service may be slow, and the logout does not wait for it.
  void unsubscribeFromPushService().catch(() => undefined);
  const isEnded = await logOutOnServer();
  const { queryKey } = authStatusQuery();
  // A response to a request sent before the logout is outdated.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, anonymous);
  return isEnded;
}

/**
 * Removes all data of an AS from this tab's memory.
 *
 * @param next the AS that logs in. Its own data stays, so that an expired login session does not discard a filled form.
 * Only its push subscription is removed: it ended with the login session, and is made again.
 */
export function clearAccountData(queryClient: QueryClient, next?: string): void {
  const [provider] = providerQuery().queryKey;
  queryClient.removeQueries({
    predicate: ({ queryKey: [prefix, username] }) =>
      prefix !== provider && (next === undefined || username !== next || prefix === pushQueryPrefix),
  });
  clearAccountStores(queryClient, next);
}

/** The prefetched response can be consumed once: a later request may get another response. */
function takePrefetchedAuthStatus(): Promise<Response> | undefined {
  const prefetched = window.prefetchedAuthStatus;
  delete window.prefetchedAuthStatus;
  return prefetched;
}
