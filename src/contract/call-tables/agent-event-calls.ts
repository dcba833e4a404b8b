import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { asn } from "../entities.ts";
import { codedFactsList } from "../agent/findings.ts";

/** What an agent does by itself. The sentences are in `src/domain/audit-events.ts`. */
export const agentEventKinds = [
  // About the tunnel of one AS.
  "tunnel-repaired",
  "tunnel-restored",
  "endpoint-changed",
  "endpoint-change-failed",
  // About the whole node.
  "router-repaired",
  "router-restored",
  "router-repair-failed",
] as const;
export type AgentEventKind = (typeof agentEventKinds)[number];

/** How many events one response contains at most. The server reads at most two responses a minute. */
export const maxEventsPerCall = 20;

/** Something that an agent did by itself. The bounds hold for a hostile agent too. */
export const agentEvent = v.object({
  /** Unique among the events of all agents, also of a reinstalled one. */
  id: v.pipe(v.string(), v.uuid()),
  /** Counts the events of one agent, so that a gap shows that events were dropped. */
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Milliseconds since 1970, by the agent's clock. */
  at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** One of `agentEventKinds`. The server skips an event of another kind. */
  kind: v.pipe(v.string(), v.regex(/^[a-z-]{1,40}$/)),
  /** Null if it concerns the whole node. */
  asn: v.nullable(v.pipe(asn, v.maxLength(10))),
  /** 0: the event happened once. More: it counts so many that followed an equal one within an hour. */
  repeats: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000)),
  /** The endpoint's new address; null in other events. */
  address: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f.:]{2,45}$/))),
  /** What was wrong, for the operator. */
  findings: codedFactsList,
  /** What the agent did about it. */
  steps: codedFactsList,
});
export type AgentEvent = v.InferOutput<typeof agentEvent>;

export const agentEventCalls = defineCalls({
  /** What the agent did by itself, oldest first: repairs, rollbacks, changed endpoints. */
  events: {
    method: "POST",
    path: "/v1/events",
    access: "public",
    /** The ID of the last event that the server has; null: none. All events follow one that the agent does not have. */
    body: v.object({ after: v.nullable(v.pipe(v.string(), v.uuid())) }),
    response: v.object({
      /** The present time by the agent's clock, for the age of the events. */
      now: agentEvent.entries.at,
      events: v.pipe(v.array(agentEvent), v.maxLength(maxEventsPerCall)),
    }),
  },
} satisfies Record<string, Call>);
