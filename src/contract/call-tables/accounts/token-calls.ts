/** Calls for API tokens, with which scripts act for an AS (decision 88). All are beyond the specification. */
import * as v from "valibot";
import { defineCalls } from "../../call.ts";
import * as e from "../../entities.ts";

/** Milliseconds since 1970 by the server's clock, as all times here. */
const time = v.number();

/** `read`: calls that change nothing; `change`: these and the others (`token-scopes.ts` of the server). */
const scope = v.picklist(["read", "change"], "use read or change");

export const apiToken = v.object({
  /** The one that the audit log names. It is not the secret. */
  id: v.string(),
  /** Entered by the participant; no other token of the AS has it. */
  name: v.string(),
  scope,
  /** The only node that it may act on; null: all nodes. */
  node: v.nullable(v.string()),
  created: time,
  expires: time,
  /** The last use, to the hour; null: never. */
  last_used: v.nullable(time),
  /** Where the last use came from: "198.51.100.0/24"; null if it is not known. */
  address_prefix: v.nullable(v.string()),
  /** Whether another password ends it. */
  ends_with_password: v.boolean(),
});
export type ApiToken = v.InferOutput<typeof apiToken>;

export const tokenCalls = defineCalls({
  getApiTokens: {
    method: "POST",
    path: "/api/getApiTokens",
    access: "participant",
    optional: true,
    cached: true,
    body: e.usernameBody,
    response: v.array(apiToken),
  },
  createApiToken: {
    method: "POST",
    path: "/api/createApiToken",
    access: "participant",
    optional: true,
    body: v.object({
      username: e.username,
      name: v.string(),
      scope,
      node: v.nullable(v.string()),
      days: v.picklist([30, 90, 365], "use 30, 90 or 365"),
      ends_with_password: v.boolean(),
    }),
    /** `token` is the secret, which no other response contains. */
    response: v.object({ token: v.string(), api_token: apiToken }),
  },
  revokeApiToken: {
    method: "POST",
    path: "/api/revokeApiToken",
    access: "participant",
    optional: true,
    body: v.object({ username: e.username, id: v.string() }),
    response: e.emptyResponse,
  },
});
