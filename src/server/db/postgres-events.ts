/**
 * Events over LISTEN/NOTIFY, heard on a connection of their own.
 *
 * Invariant: at most one connection listens or is being made. When it breaks, or nobody answers at its other end
 * for half a minute, another one is made after a pause, and `onGap` listeners are told once it listens, since
 * notifications in between are gone.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { type EventName, type EventPayloads, type Events, Listeners } from "./events.ts";
import type { Db } from "./open.ts";
import { beWatchful, linkOptions } from "./postgres.ts";

const channel = "peerdeck";
const reconnectPauseMs = 1_000;

export async function createPostgresEvents(
  url: string,
  db: Db,
  onError: (error: unknown) => void,
): Promise<Events> {
  const listeners = new Listeners();
  const gapListeners: Array<() => void> = [];
  const closing = new AbortController();
  let client = await connect();
  let reconnecting: Promise<void> | null = null;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString: url, ...linkOptions });
    fresh.on("notification", ({ payload }) => hear(payload ?? ""));
    fresh.on("error", onError);
    try {
      await fresh.connect();
      await fresh.query(beWatchful);
      await fresh.query(`LISTEN ${channel}`);
    } catch (error) {
      await fresh.end().catch(onError);
      throw error;
    }
    // Not before: a connection that was never made ends too, and whoever made it tries again already.
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
        for (const listener of gapListeners) listener();
        return;
      } catch (error) {
        if (!closing.signal.aborted) onError(error);
      }
    }
  }

  /** Whoever may use the database may notify; a text that is not ours must not end the process. */
  function hear(text: string): void {
    try {
      const { name, payload } = JSON.parse(text) as { name: EventName; payload: EventPayloads[EventName] };
      listeners.tell(name, payload);
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
    subscribe: (name, listener) => listeners.add(name, listener),
    onGap: (listener) => void gapListeners.push(listener),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await reconnecting;
      await client.end();
    },
  };
}
