import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { calls } from "../../contract/calls.ts";
import type { AuthStatus } from "../../contract/entities.ts";
import { disown, isLogoutOwed, own, settleLogout, signOut } from "../../device/owner.ts";
import { endPush, pushSubject } from "../offline/push-subscription.ts";
import { listenToTabs, tellTabs } from "../offline/tabs.ts";
import { takeAskedSession } from "./asked-session.ts";
import { call, read } from "./client.ts";
import { Unreachable } from "./unreachable.ts";
import { providerQuery } from "./provider.ts";

const anonymous: AuthStatus = { isAuthenticated: false, username: "" };

/** @param asked an answer that is under way already. */
export function authStatusQuery(asked?: Promise<Response>) {
  return queryOptions({
    queryKey: ["auth-status"],
    queryFn: (context) => read(context, calls.authStatus, undefined, asked),
    retry: false,
  });
}

/**
 * Asks the server who is signed in. A refusal counts as signed out. No answer at all says nothing: what was
 * known stays, so that a bad connection takes nobody's half-filled form away. Who signed out here is signed out,
 * whatever the server still thinks.
 */
export async function refreshSession(queryClient: QueryClient): Promise<AuthStatus> {
  const asked = takeAskedSession();
  const owed = await isLogoutOwed();
  const query = authStatusQuery(owed ? undefined : asked);
  const { queryKey } = query;
  if (owed && !(await tellServer())) return queryClient.setQueryData(queryKey, anonymous) ?? anonymous;
  try {
    const before = queryClient.getQueryData(queryKey);
    const askedAt = Date.now();
    const session = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    // The worker does the same where there is one; before it has begun, this is what drafts are kept under.
    if (session.username !== before?.username)
      await (session.isAuthenticated ? own(session.username, askedAt) : disown());
    return session;
  } catch (error) {
    const known = error instanceof Unreachable ? queryClient.getQueryData(queryKey) : undefined;
    return queryClient.setQueryData(queryKey, known ?? anonymous) ?? anonymous;
  }
}

/**
 * Asks the server without anybody waiting for the answer. Where it is somebody else by now, nothing of the person
 * before stays in this tab.
 *
 * @param onChanged called when somebody was signed in before, and now nobody is or somebody else.
 */
export async function recheckSession(queryClient: QueryClient, onChanged: () => void): Promise<void> {
  const { queryKey } = authStatusQuery();
  const before = queryClient.getQueryData(queryKey);
  const session = await refreshSession(queryClient);
  if (before?.isAuthenticated !== true || session.username === before.username) return;
  if (session.isAuthenticated) {
    forgetSession(queryClient, session.username);
    queryClient.setQueryData(queryKey, session);
  }
  onChanged();
}

/**
 * For `beforeLoad` of protected routes: the signed-in AS, or a redirect to the login screen that leads back. Who is
 * known to be signed in goes on at once: the server refuses whatever is asked for after the session's end, and
 * `recheckSession`, which is under way, leads to the login screen then.
 */
export async function requireSession(queryClient: QueryClient, href: string): Promise<AuthStatus> {
  const known = queryClient.getQueryData(authStatusQuery().queryKey);
  const session = known?.isAuthenticated === true ? known : await refreshSession(queryClient);
  if (session.isAuthenticated) return session;
  // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
  throw redirect({ to: "/login", search: href === "/manager" ? {} : { from: href } });
}

/** This AS has signed in here: of anybody else nothing stays, in no tab. */
export async function beginSession(queryClient: QueryClient, username: string): Promise<void> {
  // A session that could not be ended before has lost its cookie by now.
  await settleLogout();
  forgetSession(queryClient, username);
  tellTabs({ type: "signed-in", username });
}

/**
 * Hears from the other tabs who has signed out or in, for as long as this one lives.
 *
 * @param onChanged called when whoever was signed in here is not any more.
 */
export function followOtherTabs(queryClient: QueryClient, onChanged: () => void): void {
  listenToTabs((message) => {
    if (message.type !== "signed-out" && message.type !== "signed-in") return;
    const next = message.type === "signed-in" ? message.username : undefined;
    const known = queryClient.getQueryData(authStatusQuery().queryKey);
    if (next !== undefined && next === known?.username) return;
    forgetSession(queryClient, next);
    onChanged();
  });
}

const logoutLimit = 5_000;

/**
 * Ends the session that a person has already ended here. False while the server cannot be told: it is tried again
 * with every navigation, and before anybody signs in.
 */
export async function endOwedSession(): Promise<boolean> {
  return (await isLogoutOwed()) ? tellServer() : true;
}

async function tellServer(): Promise<boolean> {
  try {
    await call(calls.logout, undefined, { signal: AbortSignal.timeout(logoutLimit) });
  } catch {
    return false;
  }
  await settleLogout();
  return true;
}

/**
 * Signs the person out. This device, with all its tabs, forgets them at once; the server ends the session now or,
 * where it cannot be reached, as soon as it can. Answers whether it has.
 */
export async function endSession(queryClient: QueryClient): Promise<boolean> {
  await signOut();
  tellTabs({ type: "signed-out" });
  // The push service may be slow to answer, and the person has gone already.
  void endPush().catch(() => undefined);
  const ended = await tellServer();
  const { queryKey } = authStatusQuery();
  // Who was signed in when it was asked is of no interest any more.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, anonymous);
  return ended;
}

/**
 * Drops everything that was read for one AS, so that nothing of it is shown to the next.
 *
 * @param next the AS that signs in, whose own things stay: a session that ran out takes no half-filled form away.
 * Only its push subscription has gone with the session, and is made anew.
 */
export function forgetSession(queryClient: QueryClient, next?: string): void {
  const [provider] = providerQuery().queryKey;
  queryClient.removeQueries({
    predicate: ({ queryKey: [subject, owner] }) =>
      subject !== provider && (next === undefined || owner !== next || subject === pushSubject),
  });
}
