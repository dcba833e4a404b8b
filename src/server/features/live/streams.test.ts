import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStreams, maxBufferedBytes } from "./streams.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asn = "4242420001";

/** Streams of login sessions that a test can end. */
function scene() {
  const live = new Set(["one", "two"]);
  const streams = createStreams({ isLive: async (token) => live.has(token) });
  const disconnected: string[] = [];
  const open = (token: string) =>
    streams.open({ asn, token, disconnect: () => void disconnected.push(token) });
  return { live, streams, disconnected, open };
}

/** Reads what is available, and whether the stream has ended. */
async function readAll(stream: ReadableStream<Uint8Array> | null) {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; ;) {
    const piece = await Promise.race([reader?.read(), vi.advanceTimersByTimeAsync(1).then(() => null)]);
    if (!piece || piece.done) return { text, done: piece?.done === true };
    text += decoder.decode(piece.value);
  }
}

test("a stream that is not read buffers a limited number of bytes and is disconnected", async () => {
  const { streams, disconnected, open } = scene();
  const stream = open("one");
  const event = { node: "x".repeat(1_000) };
  for (let sent = 0; sent < 1_000; sent += 1) streams.send(asn, "peering", event);
  expect(disconnected).toEqual(["one"]);
  expect(streams.subscribedAsns().size).toBe(0);
  const { text, done } = await readAll(stream);
  expect(done).toBe(true);
  expect(text.length).toBeGreaterThan(maxBufferedBytes / 2);
  expect(text.length).toBeLessThan(maxBufferedBytes + 1_100);
});

test("a heartbeat is sent every 15 seconds, so that proxies keep the connection open", async () => {
  const { open } = scene();
  const stream = open("one");
  await vi.advanceTimersByTimeAsync(45_000);
  const { text } = await readAll(stream);
  expect(text.replace(/^retry: \d+\n/, "")).toBe(
    `event: hello\ndata: {"username":"${asn}"}\n\n:\n\n:\n\n:\n\n`,
  );
});

test("streams that end together are opened again within a second and a half, not all at once", async () => {
  const { streams } = scene();
  const waits = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const opened = streams.open({ asn: String(index), token: "one", disconnect: () => undefined });
      return Number(/^retry: (\d+)$/m.exec((await readAll(opened)).text)?.[1]);
    }),
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_500);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(500);
});

test("a stream ends with the next heartbeat after its login session has expired", async () => {
  const { live, open, streams } = scene();
  const [one, two] = [open("one"), open("two")];
  live.delete("one");
  await vi.advanceTimersByTimeAsync(15_000);
  expect((await readAll(one)).done).toBe(true);
  expect((await readAll(two)).done).toBe(false);
  expect(streams.subscribedAsns().has(asn)).toBe(true);
});

test("a heartbeat checks one login session at a time, so that many streams occupy one connection to the database", async () => {
  let running = 0;
  const most: number[] = [];
  const checked: string[] = [];
  const streams = createStreams({
    isLive: async (token) => {
      most.push((running += 1));
      await Promise.resolve();
      running -= 1;
      checked.push(token);
      return true;
    },
  });
  const tokens = Array.from({ length: 100 }, (_, index) => String(index));
  for (const token of tokens) streams.open({ asn: token, token, disconnect: () => undefined });
  await vi.advanceTimersByTimeAsync(0);
  for (const list of [most, checked]) list.length = 0;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(Math.max(...most)).toBe(1);
  expect(checked).toEqual(tokens);
});

test("a stream ends at once if its login session ended while it was opened", async () => {
  const { open, streams } = scene();
  open("ended meanwhile");
  await vi.advanceTimersByTimeAsync(0);
  expect(streams.subscribedAsns().size).toBe(0);
});

test("a database error ends no stream", async () => {
  const streams = createStreams({ isLive: () => Promise.reject(new Error("no database")) });
  streams.open({ asn, token: "one", disconnect: () => undefined });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(streams.subscribedAsns().has(asn)).toBe(true);
});

test("a client that left is not counted", async () => {
  const { open, streams } = scene();
  await open("one")?.cancel();
  expect(streams.subscribedAsns().size).toBe(0);
});
