import { join } from "node:path";
import * as v from "valibot";
import { agentEvent } from "../../contract/call-tables/agent-event-calls.ts";
import { createNodeFile, type NodeFile } from "../node-file.ts";

const { at, kind, asn, repeats, address, findings, steps } = agentEvent.entries;

/** Repeats of an event that are counted and not listed yet. */
const eventWindow = v.object({
  kind,
  asn,
  /** When an event of this kind and AS was last listed. */
  since: at,
  repeats,
  /** The time and the facts of the last repeat. */
  at,
  address,
  findings,
  steps,
});
export type EventWindow = v.InferOutput<typeof eventWindow>;

const storedEvents = v.object({
  /** Oldest first. */
  events: v.array(agentEvent),
  windows: v.array(eventWindow),
  /** The number of the last event, which may have been dropped. */
  lastNumber: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
export type StoredEvents = v.InferOutput<typeof storedEvents>;

/** Storage of an agent's events across restarts. */
export type EventStore = NodeFile<StoredEvents>;

export function createEventFile(folder: string, node: string): EventStore {
  return createNodeFile({
    path: join(folder, "events.json"),
    node,
    schema: storedEvents,
    advice: "Its events are not listed any more.",
  });
}
