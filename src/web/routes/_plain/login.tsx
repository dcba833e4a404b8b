import { createFileRoute } from "@tanstack/react-router";
import * as v from "valibot";
import { LoginPage } from "../../features/accounts/login-page.tsx";

const search = v.object({
  tab: v.optional(v.fallback(v.optional(v.literal("resetPassword")), undefined)),
  /** Where the guard caught the person: a path of the manager, so that the link cannot lead elsewhere. */
  from: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\/manager(?:[/?].*)?$/))), undefined)),
});

export const Route = createFileRoute("/_plain/login")({ validateSearch: search, component: Login });

function Login() {
  const { tab, from } = Route.useSearch();
  return <LoginPage tab={tab ?? "login"} from={from ?? "/manager"} />;
}
