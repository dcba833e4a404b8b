import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Transport } from "../../contract/client.ts";
import { createAgentClient } from "./agent-client.ts";
import { createNodeReader, maxReadMs } from "./node-reader.ts";
import { agentProtocol } from "../../contract/agent/agent-protocol.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const usage = { cpuPercent: 1, memoryPercent: 2, routes: { ipv4: 3, ipv6: 4 } };

/** A reader of one node; `respond` decides how its agent responds to the read with that number. */
function scene(respond: (count: number) => Promise<unknown> | "hang") {
  const requests: string[] = [];
  const transport: Transport = async ({ path, signal }) => {
    requests.push(path);
    const response = respond(requests.length);
    const body = response === "hang" ? await untilAborted(signal as AbortSignal) : await response;
    return { status: 200, header: () => String(agentProtocol), text: async () => JSON.stringify(body) };
  };
  const reader = createNodeReader(createAgentClient(new Map([["de01", transport]])), { maxAgeMs: 1_000 });
  const read = (timeoutMs = maxReadMs, signal?: AbortSignal) =>
    reader.read("de01", "usage", { timeoutMs, ...(signal && { signal }) });
  const observe = () => reader.read("de01", "observe", { timeoutMs: maxReadMs });
  return { requests, reader, read, observe };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

const unreachable = expect.objectContaining({ name: "NodeUnreachableError" }) as Error;

test("readers that read within a second share one request to the node", async () => {
  const { requests, read } = scene(async () => usage);
  expect(await Promise.all([read(), read(), read()])).toEqual([usage, usage, usage]);
  await vi.advanceTimersByTimeAsync(900);
  await read();
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await read();
  expect(requests).toHaveLength(2);
});

test("readers of different kinds of state do not share", async () => {
  const { requests, observe, read } = scene(async (count) => (count === 1 ? usage : []));
  await Promise.all([read(), observe()]);
  expect(requests).toEqual(["/v1/usage", "/v1/observe"]);
});

test("a failure is shared, and the node is asked again after a second", async () => {
  const { requests, read } = scene(async (count) => {
    if (count === 1) throw new Error("refused");
    return usage;
  });
  await expect(read()).rejects.toEqual(unreachable);
  await expect(read()).rejects.toEqual(unreachable);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await read()).toEqual(usage);
});

test("each reader waits for a hung node as long as it chose, and the node is asked once", async () => {
  const { requests, read } = scene(() => "hang");
  const settled: string[] = [];
  const [short, long] = [read(2_000), read(5_000)];
  short.catch(() => settled.push("short"));
  long.catch(() => settled.push("long"));
  await vi.advanceTimersByTimeAsync(1_900);
  expect(settled).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(settled).toEqual(["short"]);
  await expect(short).rejects.toEqual(unreachable);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  await expect(long).rejects.toEqual(unreachable);
});

test("a reader that gives up does not end the read for the others", async () => {
  const response = Promise.withResolvers<unknown>();
  const { read } = scene(() => response.promise);
  const leaving = new AbortController();
  const [given, waiting] = [read(5_000, leaving.signal), read()];
  leaving.abort();
  await expect(given).rejects.toEqual(unreachable);
  response.resolve(usage);
  expect(await waiting).toEqual(usage);
});

test("after an invalidation the node is asked again, even while an earlier read is in flight", async () => {
  const response = Promise.withResolvers<unknown>();
  const { requests, reader, observe } = scene(async (count) => (count === 1 ? response.promise : []));
  const before = observe();
  reader.invalidate("de01");
  await observe();
  response.resolve([]);
  await before;
  await observe();
  expect(requests).toHaveLength(2);
});

test("closing ends the reads that are in flight", async () => {
  const { reader, read } = scene(() => "hang");
  const pending = read();
  pending.catch(() => undefined);
  await reader[Symbol.asyncDispose]();
  await expect(pending).rejects.toEqual(unreachable);
});

const one = "/v1/observe-peering";
const all = "/v1/observe";

test("participants who look at different peerings of a node share a read of all when they are many", async () => {
  const { requests, reader } = scene(async (count) => (count === 4 ? [] : { peering: null }));
  const look = (asn: string) => reader.readPeering("de01", asn, { timeoutMs: maxReadMs });
  await Promise.all(["1", "1", "2", "3", "4", "5"].map(look));
  await Promise.all(["1", "6"].map(look));
  expect(requests).toEqual([one, one, one, all]);
  await vi.advanceTimersByTimeAsync(1_100);
  await look("6");
  reader.invalidate("de01");
  await look("6");
  expect(requests).toEqual([one, one, one, all, one, one]);
});

test("participants who look at peerings of a silent node do not ask it again and again", async () => {
  const { requests, reader } = scene(() => "hang");
  for (let second = 0; second < 4; second += 1) {
    for (const asn of ["1", "2", "3", "4", "5"])
      reader.readPeering("de01", `${second}${asn}`, { timeoutMs: 500 }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_100);
  }
  expect(requests).toEqual([one, one, one, all]);
});
