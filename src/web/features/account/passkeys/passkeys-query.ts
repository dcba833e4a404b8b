import { queryOptions } from "@tanstack/react-query";
import { passkeyCalls } from "#contract/call-tables/accounts/passkey-calls.ts";
import { readOptional } from "#web/api/client.ts";

/** The passkeys of the AS. Null if the server has none. */
export function passkeysQuery(username: string) {
  return queryOptions({
    queryKey: ["passkeys", username],
    queryFn: (context) => readOptional(context, passkeyCalls.getPasskeys, { username }),
  });
}
