import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStreams, waitingBytes } from "./streams.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asn = "4242420001";

/** Streams of sessions that a test ends. */
function scene() {
  const live = new Set(["one", "two"]);
  const streams = createStreams({ isLive: async (token) => live.has(token) });
  const disconnected: string[] = [];
  const open = (token: string) =>
    streams.open({ asn, token, disconnect: () => void disconnected.push(token) });
  return { live, streams, disconnected, open };
}

/** Everything that is there to read, and whether it ended. */
async function readAll(stream: ReadableStream<Uint8Array> | null) {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; ;) {
    const piece = await Promise.race([reader?.read(), vi.advanceTimersByTimeAsync(1).then(() => null)]);
    if (!piece || piece.done) return { text, done: piece?.done === true };
    text += decoder.decode(piece.value);
  }
}

test("one that nobody reads holds a bounded number of bytes and is cut off", async () => {
  const { streams, disconnected, open } = scene();
  const stream = open("one");
  const event = { node: "x".repeat(1_000) };
  for (let told = 0; told < 1_000; told += 1) streams.tell(asn, "peering", event);
  expect(disconnected).toEqual(["one"]);
  expect(streams.listening().size).toBe(0);
  const { text, done } = await readAll(stream);
  expect(done).toBe(true);
  expect(text.length).toBeGreaterThan(waitingBytes / 2);
  expect(text.length).toBeLessThan(waitingBytes + 1_100);
});

test("every quarter of a minute something is said, so that no proxy takes it for dead", async () => {
  const { open } = scene();
  const stream = open("one");
  await vi.advanceTimersByTimeAsync(45_000);
  const { text } = await readAll(stream);
  expect(text).toBe(`retry: 2000\nevent: hello\ndata: {"username":"${asn}"}\n\n:\n\n:\n\n:\n\n`);
});

test("one whose session has expired ends with the next heartbeat", async () => {
  const { live, open, streams } = scene();
  const [one, two] = [open("one"), open("two")];
  live.delete("one");
  await vi.advanceTimersByTimeAsync(15_000);
  expect((await readAll(one)).done).toBe(true);
  expect((await readAll(two)).done).toBe(false);
  expect(streams.listening().has(asn)).toBe(true);
});

test("one whose session ended while it was opened ends at once", async () => {
  const { open, streams } = scene();
  open("ended meanwhile");
  await vi.advanceTimersByTimeAsync(0);
  expect(streams.listening().size).toBe(0);
});

test("a database that cannot be asked ends nobody's stream", async () => {
  const streams = createStreams({ isLive: () => Promise.reject(new Error("no database")) });
  streams.open({ asn, token: "one", disconnect: () => undefined });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(streams.listening().has(asn)).toBe(true);
});

test("who left is not counted", async () => {
  const { open, streams } = scene();
  await open("one")?.cancel();
  expect(streams.listening().size).toBe(0);
});
