/**
 * The event stream that the server sends to the logged-in AS. Events only make updates faster: without a stream, or
 * after a lost event, polling brings the same data.
 *
 * Invariants:
 * - No event is used before the stream has named its AS, and only if it is the AS of this page.
 * - Over HTTP/1.1 a browser opens six connections to a server, over all its tabs, and a stream occupies one. So a tab that
 *   shares its stream with no other tab has none while it is hidden.
 */
import * as v from "valibot";
import { isCallUnsupported, recordUnsupportedCall } from "../../browser-storage/unsupported-calls.ts";
import { followVisibility } from "../browser/page-visibility.ts";
import { type LiveEvent, type LiveEventName, liveEvents, livePath } from "../../contract/live-events.ts";

/**
 * The browser itself retries a broken connection, but not a response that is no stream, such as a proxy's 502 while the server
 * starts. After the first one a page waits one to three seconds, so that pages do not come together, then twice as long each time,
 * at most five to fifteen minutes.
 */
const firstRetryMs = 2_000;
const maxRetryMs = 600_000;
/** How long nothing, not even a reload, opens a stream of a server that has none. */
const unsupportedMs = 60_000;
/** Participants look into another tab for a moment, and come back. */
const hiddenMs = 10_000;

export interface EventStreamSubscriber {
  /** The stream is connected, for the first time or again. */
  readonly onConnect: () => void;
  readonly onTask: (task: LiveEvent<"task">) => void;
  readonly onPeering: (peering: LiveEvent<"peering">) => void;
  /** The stream is connected again, and events may have been missed. */
  readonly onResync: () => void;
  /** The stream is lost, rejected or that of another AS: the network may be down, or the login session over. */
  readonly onDisconnect: () => void;
  /** The stream is closed until the tab is visible again. */
  readonly onPause: () => void;
}

export interface EventStreamOptions {
  readonly username: string;
  /** Whether a hidden tab closes its stream. When it is visible again, `onResync` follows `onConnect`. */
  readonly pausesWhenHidden: boolean;
}

/** Subscribes until the returned function is called. Does nothing in a browser without event streams. */
export function subscribeToEvents(
  { username, pausesWhenHidden }: EventStreamOptions,
  subscriber: EventStreamSubscriber,
): () => void {
  if (typeof EventSource === "undefined") return () => undefined;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rejections = 0;
  let wasConnected = false;
  /** Counts calls of `openIfSupported`, `retryRejected` and `close`: only the last one has an effect. */
  let changes = 0;

  function open(): void {
    const stream = new EventSource(livePath);
    source = stream;
    let isConfirmed = false;
    const on = <N extends LiveEventName>(name: N, onEvent: (event: LiveEvent<N>) => void) =>
      stream.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = parse(name, data);
        if (event !== null && (isConfirmed || name === "hello")) onEvent(event);
      });
    on("hello", (hello) => {
      isConfirmed = hello.username === username;
      if (!isConfirmed) {
        stream.close();
        subscriber.onDisconnect();
        retryLater();
        return;
      }
      rejections = 0;
      subscriber.onConnect();
      if (wasConnected) subscriber.onResync();
      wasConnected = true;
    });
    on("task", subscriber.onTask);
    on("peering", subscriber.onPeering);
    stream.addEventListener("error", () => {
      const isRejected = stream.readyState === EventSource.CLOSED;
      // Reported once: while the browser retries, each attempt is another error.
      if (isConfirmed || isRejected) subscriber.onDisconnect();
      isConfirmed = false;
      if (isRejected) void retryRejected();
    });
  }

  function retryLater(minMs = 0): void {
    const meanMs = Math.min(firstRetryMs * 2 ** rejections, maxRetryMs);
    rejections += 1;
    timer = setTimeout(open, Math.max(minMs, meanMs * (0.5 + Math.random())));
  }

  async function retryRejected(): Promise<void> {
    changes += 1;
    const change = changes;
    const isMissing = await hasNoStream();
    if (isMissing) void recordUnsupportedCall(livePath);
    if (change === changes) retryLater(isMissing ? unsupportedMs : 0);
  }

  /** A reload does not repeat an attempt at a server without streams. */
  async function openIfSupported(): Promise<void> {
    changes += 1;
    const change = changes;
    const isMissing = await isCallUnsupported(livePath, unsupportedMs);
    if (change !== changes) return;
    if (isMissing) retryLater(unsupportedMs);
    else open();
  }

  function close(): void {
    changes += 1;
    clearTimeout(timer);
    source?.close();
  }

  if (!pausesWhenHidden) {
    void openIfSupported();
    return close;
  }
  const unfollow = followVisibility({
    hiddenMs,
    onVisible: () => void openIfSupported(),
    onHidden: () => {
      close();
      subscriber.onPause();
    },
  });
  return () => {
    unfollow();
    close();
  };
}

/** The browser does not tell a page with which status a stream was rejected. */
async function hasNoStream(): Promise<boolean> {
  const reading = new AbortController();
  try {
    const { status } = await fetch(livePath, { signal: reading.signal });
    return status === 404;
  } catch {
    return false;
  } finally {
    reading.abort();
  }
}

/** Null for what another version of the server may send. */
function parse<N extends LiveEventName>(name: N, data: string): LiveEvent<N> | null {
  try {
    const parsed = v.safeParse(liveEvents[name], JSON.parse(data));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
