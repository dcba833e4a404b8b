import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import * as v from "valibot";
import { redirectIfLoggedIn, useShouldLeaveLogin } from "../../api/login-session.ts";
import { LoginPage } from "../../features/accounts/login-page.tsx";
import { searchParam } from "../../search-param.ts";

const search = v.object({
  tab: searchParam(v.literal("resetPassword")),
  /** The path that the guard redirected from. Only a manager path, so that a link cannot redirect elsewhere. */
  from: searchParam(v.pipe(v.string(), v.regex(/^\/manager(?:[/?].*)?$/))),
  /** Why a return from Kioubit's authentication service was refused. */
  kioubit: searchParam(v.string()),
});

export const Route = createFileRoute("/_plain/login")({
  validateSearch: search,
  beforeLoad: async ({ context, search: { tab, from }, preload }) => {
    const redirectTo = from ?? "/manager";
    if (tab === undefined && !preload) await redirectIfLoggedIn(context.queryClient, redirectTo);
    return { redirectTo };
  },
  component: Login,
});

function Login() {
  const { tab } = Route.useSearch();
  const { redirectTo } = Route.useRouteContext();
  const router = useRouter();
  // The response arrived after the form was shown. A link to the reset form is opened by a participant who is logged in.
  const isLate = useShouldLeaveLogin() && tab === undefined;
  useEffect(() => {
    if (isLate) void router.navigate({ href: redirectTo, replace: true });
  }, [isLate, redirectTo, router]);
  return <LoginPage tab={tab ?? "login"} redirectTo={redirectTo} />;
}
