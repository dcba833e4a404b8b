import { HttpError } from "#contract/http-error.ts";
import type { tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import type { Handlers } from "#server/api/handlers.ts";
import { announceNotice } from "../notices/notice-store.ts";
import { createToken, type CreateTokenContext } from "./create-token.ts";
import { listApiTokens, revokeApiToken } from "./token-store.ts";

export type TokenContext = CreateTokenContext;

export function tokenHandlers(context: TokenContext): Pick<Handlers, keyof typeof tokenCalls> {
  const { db, events, clock } = context;
  return {
    getApiTokens: (_requestBody, { asn }) => listApiTokens(db, asn, clock()),

    createApiToken: async (requestBody, request) => {
      const created = await createToken(context, requestBody, request);
      await announceNotice(events, request.asn);
      return created;
    },

    revokeApiToken: async ({ id }, { asn, origin }) => {
      if (!(await revokeApiToken(db, { asn, id }, origin, clock()))) {
        throw new HttpError(404, {
          message: "This API token has already ended. Nothing was changed.",
          field: "id",
        });
      }
      return {};
    },
  };
}
