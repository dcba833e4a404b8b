import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { emptyResponse, username, usernameBody } from "../entities.ts";
import { sessionChanges } from "../history.ts";

/** A value of a peering that an event changed, in words. Null: the peering did not exist before, or does not after. */
const change = v.object({
  field: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
});

/** How the deployment of a change ended, or that it goes on. */
const outcome = v.object({
  /** "waiting", "success" or "failed". */
  state: v.string(),
  /** "Deployed.", or why it was not. */
  text: v.string(),
});

/** An event of the audit log, as the participant of its AS sees it. */
export const activityEntry = v.object({
  id: v.string(),
  /** Milliseconds since 1970. */
  at: v.number(),
  /** A kind of `src/domain/audit-events.ts`. Later servers have more. */
  kind: v.string(),
  node: v.nullable(v.string()),
  /** One or two sentences, in the second person. */
  text: v.string(),
  changes: v.array(change),
  /** The network of the client's address; null if the event had no client, or is older than addresses are kept. */
  network: v.nullable(v.string()),
  /** Whether this login session did it. */
  own: v.boolean(),
  /** Whether it could be the act of an intruder. */
  suspect: v.boolean(),
  /** Of a change of a peering: its deployment has no entry of its own. Missing for other events, and if it is not known. */
  outcome: v.optional(outcome),
});
export type ActivityEntry = v.InferOutput<typeof activityEntry>;

export const activityCalls = defineCalls({
  getActivity: {
    method: "POST",
    path: "/api/getActivity",
    access: "participant",
    optional: true,
    cached: true,
    body: v.object({
      username,
      /** The `next` of an earlier response, for older entries. */
      before: v.optional(
        v.pipe(v.string(), v.regex(/^[0-9a-f-]{61}$/, "This is not the `next` of a response.")),
      ),
    }),
    /** `next` is null if there are no older entries. */
    response: v.object({ entries: v.array(activityEntry), next: v.nullable(v.string()) }),
  },
  getSessionChanges: {
    method: "POST",
    path: "/api/getSessionChanges",
    access: "participant",
    optional: true,
    cached: true,
    body: usernameBody,
    response: sessionChanges,
  },
  endAllLoginSessions: {
    method: "POST",
    path: "/api/endAllLoginSessions",
    access: "participant",
    optional: true,
    body: usernameBody,
    response: emptyResponse,
  },
} satisfies Record<string, Call>);
