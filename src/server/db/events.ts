/** What servers that share a database tell each other. Every subscriber, the publisher's own too, gets it. */
export interface EventPayloads {
  /** There is a new task for a node. */
  task: { readonly asn: string; readonly taskID: string; readonly node: string };
  /** A task waits for something else, or ended. */
  taskChanged: { readonly asn: string; readonly taskID: string };
  /** Sessions of an AS ended: forget what is cached of them. */
  sessionsEnded: { readonly asn: string };
}

export type EventName = keyof EventPayloads;
export type Listener<N extends EventName> = (payload: EventPayloads[N]) => void;

/**
 * Hints, not deliveries: one may be lost when a connection breaks, so nothing may depend on it but speed.
 * `onGap` listeners hear when that may have happened.
 */
export interface Events extends AsyncDisposable {
  publish<N extends EventName>(name: N, payload: EventPayloads[N]): Promise<void>;
  subscribe<N extends EventName>(name: N, listener: Listener<N>): void;
  onGap(listener: () => void): void;
}

/** The listeners of one process. */
export class Listeners {
  readonly #byName = new Map<EventName, Array<(payload: never) => void>>();

  add<N extends EventName>(name: N, listener: Listener<N>): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), listener]);
  }

  tell<N extends EventName>(name: N, payload: EventPayloads[N]): void {
    for (const listener of this.#byName.get(name) ?? []) (listener as Listener<N>)(payload);
  }
}

/** Events within one process, for a database that only one process uses. */
export function createLocalEvents(): Events {
  const listeners = new Listeners();
  return {
    publish: async (name, payload) => listeners.tell(name, payload),
    subscribe: (name, listener) => listeners.add(name, listener),
    onGap: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
