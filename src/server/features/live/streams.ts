/**
 * The streams of server-sent events that are open at this server.
 *
 * Invariants:
 * - A stream ends with its login session: the server checks the session when sessions of the AS end, and at
 *   every heartbeat.
 * - An AS has at most `maxStreamsPerAs` streams at this server, and the server has at most `maxStreams`.
 * - The stream of a client that does not read buffers at most `maxBufferedBytes` and one more event. The event
 *   after that ends it.
 */
import { randomInt } from "node:crypto";
import { type LiveEvent, type LiveEventName, liveEvents } from "#contract/live-events.ts";
import * as v from "valibot";
import type { LoginSessions } from "../../api/login-sessions.ts";

export interface NewStream {
  readonly asn: string;
  /** The token of its login session. */
  readonly token: string;
  /** Closes the connection at once, for a client that does not read. */
  readonly disconnect: () => void;
}

export interface Streams extends AsyncDisposable {
  /** Opens a stream that begins with `hello`; null when there are too many. */
  open(stream: NewStream): ReadableStream<Uint8Array> | null;
  /**
   * Sends an event to every stream of an AS.
   *
   * @param once names an event that a stream receives once: one with a name that it has received lately is not sent to it
   */
  send<N extends LiveEventName>(asn: string, name: N, data: LiveEvent<N>, once?: string | null): void;
  /** AS numbers with a stream. */
  subscribedAsns(): ReadonlySet<string>;
  /** Whether an AS has a stream. */
  isSubscribed(asn: string): boolean;
  /** Ends the streams of an AS whose login sessions have ended. */
  endExpired(asn: string): void;
  /** Ends all streams. Clients reconnect and refetch. */
  endAll(): void;
}

/** Two devices with six connections each, the number that a browser opens to one host over HTTP/1.1. */
export const maxStreamsPerAs = 12;
const maxStreams = 2_000;
/** Shorter than the idle timeouts of proxies. */
const heartbeatMs = 15_000;
/**
 * How long a browser waits before it reconnects, from the first to the second. Another one for each stream, so that those of
 * a server that died do not come to the others at once.
 */
const retryMs = [500, 1_500] as const;
export const maxBufferedBytes = 16_384;

/** More than an AS deploys while the server reads its tasks. */
const maxRemembered = 32;

interface Stream extends NewStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** The last events that it receives once, the oldest first. */
  readonly received: Set<string>;
}

const encoder = new TextEncoder();

export function createStreams(loginSessions: Pick<LoginSessions, "isLive">): Streams {
  const byAsn = new Map<string, Set<Stream>>();
  const open = new Set<Stream>();
  let closed = false;
  let checking: Promise<void> | null = null;
  const timer = setInterval(sendHeartbeats, heartbeatMs);
  timer.unref();

  function add(stream: Stream): void {
    open.add(stream);
    const own = byAsn.get(stream.asn) ?? new Set();
    byAsn.set(stream.asn, own.add(stream));
  }

  /** Returns false when the stream was not open any more. */
  function remove(stream: Stream): boolean {
    const own = byAsn.get(stream.asn);
    if (!own || !open.delete(stream)) return false;
    own.delete(stream);
    if (own.size === 0) byAsn.delete(stream.asn);
    return true;
  }

  function end(stream: Stream): void {
    if (remove(stream)) stream.controller.close();
  }

  function write(stream: Stream, text: string): void {
    if ((stream.controller.desiredSize ?? 0) > 0) {
      stream.controller.enqueue(encoder.encode(text));
      return;
    }
    end(stream);
    stream.disconnect();
  }

  function sendHeartbeats(): void {
    for (const stream of open) write(stream, ":\n\n");
    checking ??= endAllExpired().finally(() => {
      checking = null;
    });
  }

  /** One after the other: together they would occupy every connection to the database. */
  async function endAllExpired(): Promise<void> {
    for (const stream of open) await endIfExpired(stream);
  }

  /** A database error does not end a stream. */
  async function endIfExpired(stream: Stream): Promise<void> {
    const live = await loginSessions.isLive(stream.token).catch(() => true);
    if (!live) end(stream);
  }

  return {
    open(requested) {
      if (closed || open.size >= maxStreams || (byAsn.get(requested.asn)?.size ?? 0) >= maxStreamsPerAs)
        return null;
      let stream: Stream | undefined;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            stream = { ...requested, controller, received: new Set() };
            add(stream);
            write(
              stream,
              `retry: ${randomInt(...retryMs)}\n${formatEvent("hello", { username: requested.asn })}`,
            );
            // The session may have ended after the request was authenticated.
            void endIfExpired(stream);
          },
          cancel() {
            if (stream) remove(stream);
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
      );
    },
    send(asn, name, data, once = null) {
      const own = byAsn.get(asn);
      if (!own) return;
      const text = formatEvent(name, data);
      for (const stream of own) if (once === null || isFirst(stream, once)) write(stream, text);
    },
    subscribedAsns: () => new Set(byAsn.keys()),
    isSubscribed: (asn) => byAsn.has(asn),
    endExpired(asn) {
      for (const stream of byAsn.get(asn) ?? []) void endIfExpired(stream);
    },
    endAll() {
      for (const stream of open) end(stream);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(timer);
      for (const stream of open) end(stream);
    },
  };
}

/** Notes that the stream receives the event. Returns false if it has received it. */
function isFirst({ received }: Stream, event: string): boolean {
  if (received.has(event)) return false;
  received.add(event);
  const [oldest] = received;
  if (received.size > maxRemembered && oldest !== undefined) received.delete(oldest);
  return true;
}

/** An event in the format of server-sent events. JSON has no line breaks, so its data is one line. */
function formatEvent<N extends LiveEventName>(name: N, data: LiveEvent<N>): string {
  return `event: ${name}\ndata: ${JSON.stringify(v.parse(liveEvents[name], data))}\n\n`;
}
