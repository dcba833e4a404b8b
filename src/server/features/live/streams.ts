/**
 * The streams of server-sent events that are open at this server.
 *
 * Invariants:
 * - A stream ends with its session: it is asked for when the session may have ended, and at every heartbeat.
 * - An AS has at most `mostPerAs` streams here, the server at most `mostAtAll`.
 * - A stream whose reader does not read holds at most `waitingBytes` and one event more; the next one ends it.
 */
import { type LiveEvent, type LiveEventName, liveEvents } from "../../../contract/live.ts";
import * as v from "valibot";
import type { Sessions } from "../accounts/sessions.ts";

export interface NewStream {
  readonly asn: string;
  /** Of the session that it ends with. */
  readonly token: string;
  /** Ends the connection at once, for a reader that does not read. */
  readonly disconnect: () => void;
}

export interface Streams extends AsyncDisposable {
  /** Opens a stream that begins with `hello`; null where there are too many. */
  open(stream: NewStream): ReadableStream<Uint8Array> | null;
  /** Tells every stream of an AS. */
  tell<N extends LiveEventName>(asn: string, name: N, data: LiveEvent<N>): void;
  /** AS numbers with a stream. */
  listening(): ReadonlySet<string>;
  /** Ends the streams of an AS whose sessions have ended. */
  recheck(asn: string): void;
  /** Ends all: whoever listens comes back and asks for what was missed. */
  endAll(): void;
}

/** Two devices with as many connections each as a browser opens to one host over HTTP/1.1. */
export const mostPerAs = 12;
const mostAtAll = 2_000;
/** Shorter than what proxies take for silence. */
const heartbeatMs = 15_000;
/** How long a browser waits before it comes back. */
const retryMs = 2_000;
export const waitingBytes = 16_384;

interface Stream extends NewStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

const encoder = new TextEncoder();

export function createStreams(sessions: Pick<Sessions, "isLive">): Streams {
  const byAsn = new Map<string, Set<Stream>>();
  const all = new Set<Stream>();
  let closed = false;
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();

  function add(stream: Stream): void {
    all.add(stream);
    const own = byAsn.get(stream.asn) ?? new Set();
    byAsn.set(stream.asn, own.add(stream));
  }

  /** False where it was not open any more. */
  function remove(stream: Stream): boolean {
    const own = byAsn.get(stream.asn);
    if (!own || !all.delete(stream)) return false;
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

  function beat(): void {
    for (const stream of all) {
      write(stream, ":\n\n");
      void check(stream);
    }
  }

  /** A database that cannot be asked ends nobody's stream. */
  async function check(stream: Stream): Promise<void> {
    const live = await sessions.isLive(stream.token).catch(() => true);
    if (!live) end(stream);
  }

  return {
    open(asked) {
      if (closed || all.size >= mostAtAll || (byAsn.get(asked.asn)?.size ?? 0) >= mostPerAs) return null;
      let stream: Stream | undefined;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            stream = { ...asked, controller };
            add(stream);
            write(stream, `retry: ${retryMs}\n${frame("hello", { username: asked.asn })}`);
            // It may have ended since it was looked up.
            void check(stream);
          },
          cancel() {
            if (stream) remove(stream);
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes }),
      );
    },
    tell(asn, name, data) {
      const own = byAsn.get(asn);
      if (!own) return;
      const text = frame(name, data);
      for (const stream of own) write(stream, text);
    },
    listening: () => new Set(byAsn.keys()),
    recheck(asn) {
      for (const stream of byAsn.get(asn) ?? []) void check(stream);
    },
    endAll() {
      for (const stream of all) end(stream);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(timer);
      for (const stream of all) end(stream);
    },
  };
}

/** JSON has no line breaks, so that an event's data is one line. */
function frame<N extends LiveEventName>(name: N, data: LiveEvent<N>): string {
  return `event: ${name}\ndata: ${JSON.stringify(v.parse(liveEvents[name], data))}\n\n`;
}
