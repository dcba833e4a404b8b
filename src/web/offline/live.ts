/**
 * The stream of events that the server sends to the signed-in AS. What it says only comes sooner than by asking:
 * whoever has no stream, or lost a part of it, asks as ever.
 *
 * Invariant: nothing is believed before the stream has said whose it is, and that it is theirs who look at the page.
 */
import * as v from "valibot";
import { type LiveEvent, type LiveEventName, liveEvents, livePath } from "../../contract/live.ts";

/** The browser tries again by itself after a broken connection, but not after a refusal. */
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;

export interface LiveListeners {
  readonly onTask: (task: LiveEvent<"task">) => void;
  readonly onPeering: (peering: LiveEvent<"peering">) => void;
  /** The stream is back, and something may have happened meanwhile. */
  readonly onGap: () => void;
  /** The stream is gone, refused or somebody else's: the connection may be lost, or the session have ended. */
  readonly onLost: () => void;
}

/** Listens until the answered function is called. A browser without such streams hears nothing. */
export function followLive(
  username: string,
  { onTask, onPeering, onGap, onLost }: LiveListeners,
): () => void {
  if (typeof EventSource === "undefined") return () => undefined;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let wasThere = false;

  function open(): void {
    const stream = new EventSource(livePath);
    source = stream;
    let isTheirs = false;
    const hear = <N extends LiveEventName>(name: N, take: (event: LiveEvent<N>) => void) =>
      stream.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = parse(name, data);
        if (event !== null && (isTheirs || name === "hello")) take(event);
      });
    hear("hello", (hello) => {
      isTheirs = hello.username === username;
      if (!isTheirs) {
        stream.close();
        onLost();
        tryLater();
        return;
      }
      pauseMs = firstPauseMs;
      if (wasThere) onGap();
      wasThere = true;
    });
    hear("task", onTask);
    hear("peering", onPeering);
    stream.addEventListener("error", () => {
      const refused = stream.readyState === EventSource.CLOSED;
      // Said once: the browser goes on trying, and fails each time.
      if (isTheirs || refused) onLost();
      isTheirs = false;
      if (refused) tryLater();
    });
  }

  function tryLater(): void {
    timer = setTimeout(open, pauseMs);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }

  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

/** Null for what another version of the server may say. */
function parse<N extends LiveEventName>(name: N, data: string): LiveEvent<N> | null {
  try {
    const parsed = v.safeParse(liveEvents[name], JSON.parse(data));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
