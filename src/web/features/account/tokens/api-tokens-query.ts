import { queryOptions } from "@tanstack/react-query";
import { tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import { readOptional } from "#web/api/client.ts";

/** The API tokens of the AS. Null if the server has none. */
export function apiTokensQuery(username: string) {
  return queryOptions({
    queryKey: ["api-tokens", username],
    queryFn: (context) => readOptional(context, tokenCalls.getApiTokens, { username }),
  });
}
