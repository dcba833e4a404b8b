import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { LoginPage } from "../../features/accounts/login-page.tsx";
import { searchParam } from "../../search-param.ts";

const search = v.object({
  tab: searchParam(v.literal("resetPassword")),
  /** The path that the guard redirected from. Only a manager path, so that a link cannot redirect elsewhere. */
  from: searchParam(v.pipe(v.string(), v.regex(/^\/manager(?:[/?].*)?$/))),
});

export const Route = createFileRoute("/_plain/login")({ validateSearch: search, component: Login });

function Login() {
  const { tab, from } = Route.useSearch();
  return <LoginPage tab={tab ?? "login"} redirectTo={from ?? "/manager"} />;
}
