/**
 * The login session of this browser: which AS is logged in, as the server says, or, where the server gives no response,
 * as this tab and this device last knew.
 *
 * - A rejected request means logged out. No response changes nothing.
 * - A logout that the server refuses leaves the participant logged in. Otherwise it clears this device, in every tab. If
 *   the server gives no response, the logout is pending, and this device stays logged out, until the server has ended the
 *   login session.
 */
import {
  CancelledError,
  hashKey,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { calls } from "../../contract/call-tables/app-calls.ts";
import type { AuthStatus } from "../../contract/entities.ts";
import {
  clearOwner,
  completeLogout,
  readLogoutState,
  setOwner,
  startLogout,
} from "../../browser-storage/owner.ts";
import { settleWithin } from "../../browser-storage/timeout.ts";
import { clearAccountStores, createAppStore, useStore } from "../browser/store.ts";
import { broadcast, onBroadcast } from "../browser/tabs.ts";
import { CallError } from "../../contract/client.ts";
import { call, read, UnreachableError } from "./client.ts";
import { logFailedCall } from "./log-failed-call.ts";
import { providerQuery } from "./provider.ts";

declare global {
  interface Window {
    /** Set by the script in index.html, which requests the auth status while the app is loading. */
    prefetchedAuthStatus?: Promise<Response>;
  }
}

const anonymous: AuthStatus = { isAuthenticated: false, username: "" };
const logoutTimeoutMs = 5_000;
/** The page of index.html has requested the auth status already. A slow server does not delay the login form. */
const loginCheckTimeoutMs = 250;
/** How often a cancelled request is repeated. Each login and logout of any tab cancels it once. */
const maxRepeats = 3;

/** Whether the server has said that the login session of this tab has ended, and no login or logout came since. */
const hasEndedStore = createAppStore(false);

/** Query key prefix of the server's record of the push subscription, which ends with the login session. */
export const pushQueryPrefix = "push";

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
 * logged out, whatever the server still says. A login or logout, also of another tab, cancels the request: its response
 * would be outdated, and the server is asked again.
 */
export async function refreshLoginSession(
  queryClient: QueryClient,
  repeats = maxRepeats,
): Promise<AuthStatus> {
  const prefetched = takePrefetchedAuthStatus();
  const isPending = await isLogoutPending(queryClient);
  const query = authStatusQuery(isPending ? undefined : prefetched);
  const { queryKey } = query;
  if (isPending && !(await retryLogout())) return queryClient.setQueryData(queryKey, anonymous) ?? anonymous;
  try {
    const before = queryClient.getQueryData(queryKey);
    const requestedAt = Date.now();
    const authStatus = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    // The worker does the same. Before it has started, drafts need an owner too.
    if (authStatus.username !== before?.username)
      await (authStatus.isAuthenticated ? setOwner(authStatus.username, requestedAt) : clearOwner());
    return authStatus;
  } catch (error) {
    if (error instanceof CancelledError) {
      const current = queryClient.getQueryData(queryKey);
      if (current !== undefined || repeats === 0) return current ?? anonymous;
      return refreshLoginSession(queryClient, repeats - 1);
    }
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
  } else hasEndedStore(queryClient).set(true);
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
 * For `beforeLoad` of the login screen: redirects an AS that is logged in to `href`. Where this tab knows that no AS is
 * logged in, the form is shown without asking again: the guard has just led here, and two responses that contradict each
 * other must not lead back and forth.
 */
export async function redirectIfLoggedIn(queryClient: QueryClient, href: string): Promise<void> {
  const { queryKey } = authStatusQuery();
  if (queryClient.getQueryData(queryKey) === undefined)
    await settleWithin(loginCheckTimeoutMs, refreshLoginSession(queryClient));
  const authStatus = queryClient.getQueryData(queryKey);
  if (authStatus?.isAuthenticated === true && !hasEndedStore(queryClient).get())
    // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
    throw redirect({ href, replace: true });
}

/**
 * Whether the login screen, which is shown already, leads on: an AS is logged in now. After the login session of this tab
 * has ended, a response that says so contradicts the one before, and must not lead back and forth.
 */
export function useShouldLeaveLogin(): boolean {
  const hasEnded = useStore(hasEndedStore(useQueryClient()));
  return useLoggedInAs() !== null && !hasEnded;
}

/** Returns `loggedInAs`, and renders again when it changes. */
export function useLoggedInAs(): string | null {
  const queryClient = useQueryClient();
  // Reads the cache itself: a login and a logout remove the query, which an observer of it would not notice.
  const { queryKey } = authStatusQuery();
  return useSyncExternalStore(
    (onChange) =>
      queryClient.getQueryCache().subscribe(({ type, query }) => {
        // Other queries report while components render, when no state may change.
        if ((type === "updated" || type === "removed") && query.queryHash === hashKey(queryKey)) onChange();
      }),
    () => loggedInAs(queryClient),
  );
}

/** The AS that is logged in as far as this tab knows; null if none is, or before the first response. */
export function loggedInAs(queryClient: QueryClient): string | null {
  const authStatus = queryClient.getQueryData(authStatusQuery().queryKey);
  return authStatus?.isAuthenticated === true ? authStatus.username : null;
}

/**
 * Updates this browser after a successful login: completes a pending logout, and removes data of other accounts in every
 * tab.
 */
export async function handleLogin(queryClient: QueryClient, username: string): Promise<void> {
  // The login has replaced the cookie of a login session that could not be ended.
  await completeLogout();
  clearAccountData(queryClient, username);
  broadcast({ type: "logged-in", username });
}

/**
 * Follows logins and logouts of other tabs, for the lifetime of this one.
 *
 * @param onChanged called when the AS that was logged in here no longer is.
 * @returns a function that ends it.
 */
export function syncLoginSessionAcrossTabs(queryClient: QueryClient, onChanged: () => void): () => void {
  return onBroadcast((message) => {
    if (message.type !== "logged-out" && message.type !== "logged-in") return;
    const next = message.type === "logged-in" ? message.username : undefined;
    const known = queryClient.getQueryData(authStatusQuery().queryKey);
    if (next !== undefined && next === known?.username) return;
    clearAccountData(queryClient, next);
    onChanged();
  });
}

/** Ends the login session of a pending logout on the server, before a login. Without success it stays pending. */
export async function finishPendingLogout(queryClient: QueryClient): Promise<void> {
  if (await isLogoutPending(queryClient)) await retryLogout();
}

/** Whether a logout is pending. One whose tab was closed before the server responded is from now on. */
async function isLogoutPending(queryClient: QueryClient): Promise<boolean> {
  const state = await readLogoutState();
  if (state === "abandoned") {
    await startLogout();
    clearAccountData(queryClient);
    broadcast({ type: "logged-out" });
  }
  return state !== "none";
}

/** Retries a pending logout: with every navigation, and before a login. Returns whether the login session has ended. */
async function retryLogout(): Promise<boolean> {
  try {
    await endLoginSession();
  } catch (error) {
    logFailedCall(error);
    return false;
  }
  await completeLogout();
  return true;
}

/**
 * Ends the login session on the server. Rejects with `CallError` if the server refuses it, with `UnreadableResponseError`
 * for a web page, and with `UnreachableError` without a response in time.
 */
export async function endLoginSession(): Promise<void> {
  const signal = AbortSignal.timeout(logoutTimeoutMs);
  try {
    await call(calls.logout, undefined, { signal });
  } catch (error) {
    if (signal.aborted) throw new UnreachableError(calls.logout.path, error);
    // There is no login session to end.
    if (error instanceof CallError && error.status === 401) return;
    throw error;
  }
}

/**
 * Removes all data of an AS from this tab's memory.
 *
 * @param next the AS that logs in. Its own data stays, so that an expired login session does not discard a filled form.
 * Only its push subscription is removed: it ended with the login session, and is made again.
 */
export function clearAccountData(queryClient: QueryClient, next?: string): void {
  const [provider] = providerQuery().queryKey;
  hasEndedStore(queryClient).set(false);
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
