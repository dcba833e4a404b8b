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
}

/** Creates events within one process, for a database that only one process uses. */
export function createLocalEvents(): Events {
  const subscribers = new Subscribers();
  return {
    publish: async (name, payload) => subscribers.notify(name, payload),
    subscribe: (name, listener) => subscribers.add(name, listener),
    onResync: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
