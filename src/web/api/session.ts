import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { calls } from "../../contract/calls.ts";
import type { AuthStatus } from "../../contract/entities.ts";
import { call } from "./client.ts";
import { Unreachable } from "./unreachable.ts";
import { providerQuery } from "./provider.ts";

const anonymous: AuthStatus = { isAuthenticated: false, username: "" };

export function authStatusQuery() {
  return queryOptions({
    queryKey: ["auth-status"],
    queryFn: ({ signal }) => call(calls.authStatus, undefined, { signal }),
    retry: false,
  });
}

/**
 * Asks the server who is signed in. A refusal counts as signed out. No answer at all says nothing: what was
 * known stays, so that a bad connection takes nobody's half-filled form away.
 */
export async function refreshSession(queryClient: QueryClient): Promise<AuthStatus> {
  const { queryKey } = authStatusQuery();
  try {
    return await queryClient.fetchQuery({ ...authStatusQuery(), staleTime: 0 });
  } catch (error) {
    const known = error instanceof Unreachable ? queryClient.getQueryData(queryKey) : undefined;
    return queryClient.setQueryData(queryKey, known ?? anonymous) ?? anonymous;
  }
}

/** For `beforeLoad` of protected routes: the signed-in AS, or a redirect to the login screen that leads back. */
export async function requireSession(queryClient: QueryClient, href: string): Promise<AuthStatus> {
  const session = await refreshSession(queryClient);
  if (session.isAuthenticated) return session;
  // eslint-disable-next-line typescript/only-throw-error -- the router's redirects are thrown responses
  throw redirect({ to: "/login", search: href === "/manager" ? {} : { from: href } });
}

/**
 * Drops everything that was read for one AS, so that nothing of it is shown to the next.
 *
 * @param next the AS that signs in, whose own things stay: a session that ran out takes no half-filled form away.
 */
export function forgetSession(queryClient: QueryClient, next?: string): void {
  const [provider] = providerQuery().queryKey;
  queryClient.removeQueries({
    predicate: ({ queryKey: [subject, owner] }) =>
      subject !== provider && (next === undefined || owner !== next),
  });
}
