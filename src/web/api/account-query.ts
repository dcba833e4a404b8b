import { queryOptions } from "@tanstack/react-query";
import { accountCalls } from "../../contract/call-tables/accounts/account-calls.ts";
import { readOptional } from "./client.ts";

/** The account of the AS. Null if the server has no calls about accounts. */
export function accountQuery(username: string) {
  return queryOptions({
    queryKey: ["account", username],
    queryFn: (context) => readOptional(context, accountCalls.getAccount, { username }),
  });
}
