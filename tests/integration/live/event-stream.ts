/** A client of the event stream that reads it from the wire. */
import * as v from "valibot";
import { type LiveEvent, type LiveEventName, liveEvents, livePath } from "#contract/live-events.ts";

export type EventStream = Awaited<ReturnType<typeof openEvents>>;

export async function openEvents(url: string, cookie: string) {
  const disconnect = new AbortController();
  const response = await fetch(`${url}${livePath}`, {
    headers: { cookie, accept: "text/event-stream" },
    signal: disconnect.signal,
  });
  let text = "";
  let hasEnded = false;
  let received = Promise.withResolvers<void>();
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
        for (const block of blocks) addEvent(block);
        received.resolve();
        received = Promise.withResolvers();
      }
    } catch (error) {
      if (!disconnect.signal.aborted) throw error;
    } finally {
      hasEnded = true;
      received.resolve();
    }
  }

  function addEvent(block: string): void {
    const name = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (name !== undefined && data !== undefined) events.push({ name, data });
  }

  const ended = read();
  return {
    status: response.status,
    headers: response.headers,
    /** Everything received so far. */
    text: () => text,
    /** Resolves with the next event of a name. Rejects when the stream ends before. */
    async next<N extends LiveEventName>(name: N): Promise<LiveEvent<N>> {
      for (;;) {
        const index = events.findIndex((event) => event.name === name);
        const [found] = index < 0 ? [] : events.splice(index, 1);
        if (found) return v.parse(liveEvents[name], JSON.parse(found.data));
        if (hasEnded) throw new Error(`the stream ended without ${name}; it contained:\n${text}`);
        await received.promise;
      }
    },
    /** The number of received events of a name that `next` has not returned. */
    left: (name: LiveEventName) => events.filter((event) => event.name === name).length,
    /** Resolves when the server has ended it. */
    ended,
    async [Symbol.asyncDispose]() {
      disconnect.abort();
      await ended;
    },
  };
}
