import { queryOptions } from "@tanstack/react-query";
import { accountCalls } from "#contract/call-tables/accounts/account-calls.ts";
import { readOptional } from "../../api/client.ts";

/** The login sessions of the AS. Null if the server does not list them. */
export function loginSessionsQuery(username: string) {
  return queryOptions({
    queryKey: ["login-sessions", username],
    queryFn: (context) => readOptional(context, accountCalls.getLoginSessions, { username }),
  });
}
