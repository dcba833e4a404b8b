import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema/schema.ts";

/** Events between the servers that share a database. Every subscriber receives them, the publisher's own included. */
export interface EventPayloads {
  /** A task for a node was created. */
  task: { readonly asn: string; readonly taskID: string; readonly node: string };
  /** A task has another waiting reason, or ended. */
  taskChanged: { readonly asn: string; readonly taskID: string };
  /** Login sessions of an AS ended: subscribers clear their caches. */
  sessionsEnded: { readonly asn: string };
  /** A notice about an account was written. */
  accountNotice: { readonly asn: string };
  /** The deletion of an account was started. */
  accountDeletion: { readonly asn: string };
}

export type EventName = keyof EventPayloads;
export type Listener<N extends EventName> = (payload: EventPayloads[N]) => void;

/**
 * Events are hints: a broken connection may lose some, so only speed may depend on them. `onResync` reports that
 * events may have been lost.
 */
export interface Events extends AsyncDisposable {
  publish<N extends EventName>(name: N, payload: EventPayloads[N]): Promise<void>;
  /**
   * Publishes with a transaction: once it is committed, which a server that dies then does not prevent, and not at all if it is
   * rolled back.
   */
  publishIn<N extends EventName>(tx: Kysely<Schema>, name: N, payload: EventPayloads[N]): Promise<void>;
  subscribe<N extends EventName>(name: N, listener: Listener<N>): void;
  onResync(listener: () => void): void;
}

/** The subscribers of one process. */
export class Subscribers {
  readonly #byName = new Map<EventName, Array<(payload: never) => void>>();

  add<N extends EventName>(name: N, listener: Listener<N>): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), listener]);
  }

  notify<N extends EventName>(name: N, payload: EventPayloads[N]): void {
    for (const listener of this.#byName.get(name) ?? []) (listener as Listener<N>)(payload);
  }

  /** @param text from `formatEvent` */
  receive(text: string): void {
    const { name, payload } = JSON.parse(text) as { name: EventName; payload: EventPayloads[EventName] };
    this.notify(name, payload);
  }
}

/** An event as a text, in which it travels through a database. */
export function formatEvent<N extends EventName>(name: N, payload: EventPayloads[N]): string {
  return JSON.stringify({ name, payload });
}

export interface LocalEvents extends Events {
  /** Receives `formatEvent`'s text after the commit of the transaction that has called `publish_event` with it. */
  readonly onCommitted: (text: string) => void;
}

/** Creates events within one process, for an SQLite database (`sqlite/driver.ts`) that only one process uses. */
export function createLocalEvents(): LocalEvents {
  const subscribers = new Subscribers();
  return {
    onCommitted: (text) => subscribers.receive(text),
    publish: async (name, payload) => subscribers.notify(name, payload),
    publishIn: async (tx, name, payload) => {
      await sql`SELECT publish_event(${formatEvent(name, payload)})`.execute(tx);
    },
    subscribe: (name, listener) => subscribers.add(name, listener),
    onResync: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
