import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { agentEvent } from "../../contract/call-tables/agent-event-calls.ts";
import { readDurableFile, replaceFile } from "../durable-file.ts";

const { at, kind, asn, repeats, detail } = agentEvent.entries;

/** Repeats of an event that are counted and not listed yet. */
const eventWindow = v.object({
  kind,
  asn,
  /** When an event of this kind and AS was last listed. */
  since: at,
  repeats,
  /** The time and the detail of the last repeat. */
  at,
  detail,
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
export interface EventStore {
  /** Null on the first start. Rejects if the stored events cannot be read. */
  readonly load: () => Promise<StoredEvents | null>;
  /** Resolves when the events would survive a power cut; after a rejection either the old or the new ones are stored. */
  readonly save: (events: StoredEvents) => Promise<void>;
}

const version = 1;
const fileName = "events.json";
const fileSchema = v.object({ version: v.literal(version), node: v.string(), ...storedEvents.entries });

export function createEventFile(folder: string, node: string): EventStore {
  const path = join(folder, fileName);
  return {
    load: async () => {
      const text = await readDurableFile(path);
      if (text === null) return null;
      const stored = v.parse(fileSchema, JSON.parse(text));
      if (stored.node !== node)
        throw new Error(`${path} belongs to node ${stored.node}, but this node is ${node}.`);
      return stored;
    },
    save: async ({ events, windows, lastNumber }) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await replaceFile(path, JSON.stringify({ version, node, lastNumber, windows, events }));
    },
  };
}
