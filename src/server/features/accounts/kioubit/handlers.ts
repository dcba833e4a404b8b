import { getKioubitReturnPath, type kioubitCalls } from "#contract/call-tables/accounts/kioubit-calls.ts";
import { HttpError } from "#contract/http-error.ts";
import type { Handlers } from "#server/api/handlers.ts";
import { takeAll } from "#server/api/rate-limits.ts";
import type { AppContext } from "#server/context.ts";
import { assertUsableAsn } from "../ownership-checks.ts";
import { issueChallenge } from "../proofs/challenge-store.ts";

export type KioubitContext = Pick<AppContext, "db" | "profile" | "rateLimits" | "clock">;

export function kioubitHandlers({
  db,
  profile,
  rateLimits,
  clock,
}: KioubitContext): Pick<Handlers, keyof typeof kioubitCalls> {
  return {
    startKioubit: async ({ purpose, asn }, request) => {
      const { clientAddress, origin } = request;
      if (profile.kioubit === null) {
        throw new HttpError(404, { message: "This server does not use Kioubit's authentication service." });
      }
      if (asn !== "") assertUsableAsn(asn, profile.asn);
      await takeAll(rateLimits.challengePerClient.countsOf(clientAddress));
      const given = { purpose, asn: asn === "" ? null : asn };
      const { nonce } = await issueChallenge(db, given, request, clock());
      const url = new URL(profile.kioubit.url);
      url.searchParams.set("return", origin.publicUrl + getKioubitReturnPath(purpose));
      // The service signs it as `user_token`.
      url.searchParams.set("token", nonce);
      return { url: url.href };
    },
  };
}
