/**
 * Events over LISTEN/NOTIFY, received on a dedicated connection.
 *
 * Invariant: at most one connection listens or is being opened. When it breaks, its other end does not respond for half a
 * minute, or its server is found to be read-only, another one is opened after a pause. `onResync` listeners are called
 * once it listens, since notifications in between are lost.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { type Events, formatEvent, Subscribers } from "../events.ts";
import { openDedicated } from "./connection.ts";
import type { Schema } from "../schema/schema.ts";

const channel = "peerdeck";
const reconnectPauseMs = 1_000;

export interface PostgresEventsOptions {
  readonly url: string;
  /** Publishes. */
  readonly db: Kysely<Schema>;
  readonly onError: (error: unknown) => void;
}

export interface PostgresEvents extends Events {
  /** Closes the connection, so that another one is opened. */
  reopen(): void;
}

export async function createPostgresEvents({
  url,
  db,
  onError,
}: PostgresEventsOptions): Promise<PostgresEvents> {
  const subscribers = new Subscribers();
  const resyncListeners: Array<() => void> = [];
  const closing = new AbortController();
  let client = await connect();
  let reconnecting: Promise<void> | null = null;

  async function connect() {
    const fresh = await openDedicated(url, onError);
    fresh.on("notification", ({ payload }) => receive(payload ?? ""));
    try {
      await fresh.query(`LISTEN ${channel}`);
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
      subscribers.receive(text);
    } catch (error) {
      onError(error);
    }
  }

  return {
    publish: async (name, payload) => {
      await notify(db, formatEvent(name, payload)).catch(onError);
    },
    publishIn: (tx, name, payload) => notify(tx, formatEvent(name, payload)),
    subscribe: (name, listener) => subscribers.add(name, listener),
    onResync: (listener) => void resyncListeners.push(listener),
    reopen: () => void client.end().catch(onError),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await reconnecting;
      await client.end();
    },
  };
}

/** Within a transaction, PostgreSQL delivers a notification with its commit. */
async function notify(db: Kysely<Schema>, text: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${text})`.execute(db);
}
