import * as v from "valibot";
import { defineCalls } from "../../call.ts";
import * as e from "../../entities.ts";
import { passkey } from "./passkey-calls.ts";
import { apiToken } from "./token-calls.ts";

/** Milliseconds since 1970 by the server's clock, as all times here. */
const time = v.number();

export const loginSession = v.object({
  /** The one that the activity names. It is not the secret of the cookie. */
  id: v.string(),
  /** When the participant logged in. */
  created: time,
  /** The last visit, to the hour. */
  last_used: time,
  /** When it ends if there are no more visits. */
  ends: time,
  /** Where the login came from: "198.51.100.0/24" or "2001:db8:1::/48"; null if it is not known. */
  address_prefix: v.nullable(v.string()),
  /** "Firefox on Linux", or "Unknown browser". */
  browser: v.string(),
  /** Whether it is the one of this request. */
  current: v.boolean(),
});
export type LoginSession = v.InferOutput<typeof loginSession>;

export const accountDeletionStates = ["running", "deleted", "cancelled"] as const;

/** The deletion of an account: `running` until all peerings are removed from their nodes. */
export const accountDeletion = v.object({
  /** A UUID that only the participant knows: `getAccountDeletion` still responds to it when the account is gone. */
  id: v.string(),
  state: v.picklist(accountDeletionStates),
  started: time,
  /** The peerings that are still to be removed. */
  peerings: v.array(
    v.object({
      node: v.string(),
      /** The task that is removing it; null while none does. */
      taskID: v.nullable(v.string()),
      /** What it waits for, a sentence; empty if nothing is known to delay it. */
      reason: v.string(),
      /** When the server tries again; null while a task is running, and if the operator has to act first. */
      next_attempt: v.nullable(time),
    }),
  ),
});
export type AccountDeletion = v.InferOutput<typeof accountDeletion>;

export const account = v.object({
  /** When the AS registered. */
  created: time,
  /** The maintainers of the AS in the registry when the account was last verified by a mailed link. */
  holder: v.string(),
  /** The running deletion; null: none. */
  deletion: v.nullable(accountDeletion),
  /** Whether the participant has turned the password off, so that only passkeys log in. */
  password_off: v.optional(v.boolean(), false),
  /** The addresses in the registry that refused the last mail; absent if none did. */
  refused: v.optional(v.array(e.refusedAddress)),
});
export type Account = v.InferOutput<typeof account>;

/** Everything that the server stores about an AS. It contains no password hash, no token and no push secret. */
export const accountExport = v.object({
  username: e.username,
  exported: time,
  account,
  login_sessions: v.array(loginSession),
  passkeys: v.array(passkey),
  api_tokens: v.array(apiToken),
  peerings: v.array(
    v.object({
      node: v.string(),
      /** What the participant submitted. */
      request: v.record(v.string(), v.unknown()),
      /** What the node receives: the request with the generated values. */
      peering: v.record(v.string(), v.unknown()),
      generation: v.number(),
      /** True while it is being deleted. */
      deleting: v.boolean(),
    }),
  ),
  /** The deployments of the last 30 days. */
  tasks: v.array(
    v.object({
      ...e.task.entries,
      created: time,
      ended: v.nullable(time),
      request: v.nullable(v.record(v.string(), v.unknown())),
    }),
  ),
  push_subscriptions: v.array(
    v.object({
      /** The host of the push service. The rest of the address is a secret of the browser. */
      push_service: v.string(),
      alerts: v.boolean(),
      created: time,
    }),
  ),
  /** Byte counters of the tunnels, as stored: of the last three hours, one a minute. */
  traffic: v.array(v.object({ node: v.string(), at: time, received: v.number(), sent: v.number() })),
  /** The peerings in half hours, as stored: of the last day, oldest first. */
  half_hours: v.array(
    v.object({
      node: v.string(),
      from: time,
      /** Counts of observations. */
      up: v.number(),
      down: v.number(),
      /** Median round trip in milliseconds. It and the next values are null where they were not measured. */
      latency: v.nullable(v.number()),
      /** Routes at the last observation. */
      accepted: v.nullable(v.number()),
      refused: v.nullable(v.number()),
      bytes: v.nullable(v.number()),
    }),
  ),
  /** The sessions of the peerings, as stored: their changes of the last seven days, oldest first. */
  sessions: v.array(
    v.object({
      node: v.string(),
      families: v.array(v.string()),
      up: v.boolean(),
      since: v.nullable(time),
      changes: v.array(v.object({ at: time, up: v.boolean() })),
    }),
  ),
  /** Messages to support that wait for their delivery. Delivered ones keep no text. */
  contact_messages: v.array(v.object({ at: time, text: v.string(), delivered: v.boolean() })),
  /** The audit log's events of this account, oldest first, at most the last 5,000. */
  activity: v.array(v.record(v.string(), v.unknown())),
});
export type AccountExport = v.InferOutput<typeof accountExport>;

/** Calls about the account of an AS. All are beyond the specification. */
export const accountCalls = defineCalls({
  getAccount: {
    method: "POST",
    path: "/api/getAccount",
    access: "participant",
    optional: true,
    cached: true,
    body: e.usernameBody,
    response: account,
  },
  changePassword: {
    method: "POST",
    path: "/api/changePassword",
    access: "participant",
    optional: true,
    body: v.object({ username: e.username, current_password: v.string(), password: v.string() }),
    response: e.emptyResponse,
  },
  getLoginSessions: {
    method: "POST",
    path: "/api/getLoginSessions",
    access: "participant",
    optional: true,
    cached: true,
    body: e.usernameBody,
    response: v.array(loginSession),
  },
  endLoginSession: {
    method: "POST",
    path: "/api/endLoginSession",
    access: "participant",
    optional: true,
    body: v.object({ username: e.username, id: v.string() }),
    response: e.emptyResponse,
  },
  exportAccount: {
    method: "POST",
    path: "/api/exportAccount",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: accountExport,
  },
  deleteAccount: {
    method: "POST",
    path: "/api/deleteAccount",
    access: "participant",
    optional: true,
    /** Without a password if it is turned off: the login session must be at most 15 minutes old then. */
    body: v.object({ username: e.username, password: v.optional(v.string(), "") }),
    response: accountDeletion,
  },
  cancelAccountDeletion: {
    method: "POST",
    path: "/api/cancelAccountDeletion",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: e.emptyResponse,
  },
  getAccountDeletion: {
    method: "POST",
    path: "/api/getAccountDeletion",
    access: "public",
    optional: true,
    body: v.object({ id: v.string() }),
    response: accountDeletion,
  },
});
