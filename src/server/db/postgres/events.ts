/**
 * Events over LISTEN/NOTIFY, received on a dedicated connection.
 *
 * Invariant: at most one connection listens or is being opened. When it breaks, or its other end does not respond for
 * half a minute, or turns out to be a former primary, another one is opened after a pause. `onResync` listeners are called once it listens, since
 * notifications in between are lost.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type pg from "pg";
import { type EventName, type EventPayloads, type Events, Subscribers } from "../events.ts";
import { keepaliveSettings, dedicatedConnection } from "./dialect.ts";
import { FormerPrimaryError } from "../unavailable.ts";
import type { PrimaryWatch } from "./primary-watch.ts";
import type { Schema } from "../schema/schema.ts";

const channel = "peerdeck";
const reconnectPauseMs = 1_000;

export interface PostgresEventsOptions {
  readonly url: string;
  /** Publishes. */
  readonly db: Kysely<Schema>;
  readonly watch: PrimaryWatch;
  readonly onError: (error: unknown) => void;
}

export async function createPostgresEvents({
  url,
  db,
  watch,
  onError,
}: PostgresEventsOptions): Promise<Events> {
  const subscribers = new Subscribers();
  const resyncListeners: Array<() => void> = [];
  const closing = new AbortController();
  let client = await connect();
  let reconnecting: Promise<void> | null = null;
  watch.onFormer(() => {
    if (watch.isFormer(client)) client.end().catch(onError);
  });

  async function connect(): Promise<pg.Client> {
    const fresh = new watch.Client({ connectionString: url, ...dedicatedConnection });
    fresh.on("notification", ({ payload }) => receive(payload ?? ""));
    fresh.on("error", onError);
    try {
      await fresh.connect();
      await fresh.query(keepaliveSettings);
      await fresh.query(`LISTEN ${channel}`);
      if (watch.isFormer(fresh)) throw new FormerPrimaryError("events of a read-only server are not sent");
    } catch (error) {
      await fresh.end().catch(onError);
      throw error;
    }
    // Registered after the connect: a failed attempt also emits "end", and its caller retries already.
    fresh.once("end", () => {
      reconnecting = reconnect();
    });
    return fresh;
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await pause(reconnectPauseMs, undefined, { signal: closing.signal });
        client = await connect();
        for (const listener of resyncListeners) listener();
        return;
      } catch (error) {
        if (!closing.signal.aborted) onError(error);
      }
    }
  }

  /** Any user of the database may send notifications, so a malformed one must not end the process. */
  function receive(text: string): void {
    try {
      const { name, payload } = JSON.parse(text) as { name: EventName; payload: EventPayloads[EventName] };
      subscribers.notify(name, payload);
    } catch (error) {
      onError(error);
    }
  }

  return {
    publish: async (name, payload) => {
      await sql`SELECT pg_notify(${channel}, ${JSON.stringify({ name, payload })})`
        .execute(db)
        .catch(onError);
    },
    subscribe: (name, listener) => subscribers.add(name, listener),
    onResync: (listener) => void resyncListeners.push(listener),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await reconnecting;
      await client.end();
    },
  };
}
