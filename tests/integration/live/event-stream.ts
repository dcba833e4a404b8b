/** A page's end of the live events, read from the wire. */
import * as v from "valibot";
import { type LiveEvent, type LiveEventName, liveEvents, livePath } from "../../../src/contract/live.ts";

export interface EventStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came so far. */
  text(): string;
  /** The next event of a name that nobody took yet; waits for it. Rejects when the stream ends before. */
  next<N extends LiveEventName>(name: N): Promise<LiveEvent<N>>;
  /** Events of a name that nobody took yet. */
  left(name: LiveEventName): number;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
}

export async function openEvents(
  url: string,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${url}${livePath}`, {
    headers: { cookie, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  let text = "";
  let over = false;
  let bell = Promise.withResolvers<void>();
  const events: Array<{ readonly name: string; readonly data: string }> = [];

  async function read(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const piece = decoder.decode(chunk, { stream: true });
        text += piece;
        const blocks = (rest + piece).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) keep(block);
        bell.resolve();
        bell = Promise.withResolvers();
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      over = true;
      bell.resolve();
    }
  }

  function keep(block: string): void {
    const name = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (name !== undefined && data !== undefined) events.push({ name, data });
  }

  const ended = read();
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    async next(name) {
      for (;;) {
        const index = events.findIndex((event) => event.name === name);
        const [found] = index < 0 ? [] : events.splice(index, 1);
        if (found) return v.parse(liveEvents[name], JSON.parse(found.data));
        if (over) throw new Error(`the stream ended without ${name}; it said:\n${text}`);
        await bell.promise;
      }
    },
    left: (name) => events.filter((event) => event.name === name).length,
    ended,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await ended;
    },
  };
}
