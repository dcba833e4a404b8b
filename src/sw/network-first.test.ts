import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchedAtHeader } from "../contract/app/worker-messages.ts";
import { calls } from "../contract/calls.ts";
import { cachedReadTimeoutMs, slowResponseTimeoutMs } from "../contract/timeouts.ts";
import { cacheResponse, readCachedResponse } from "../browser-storage/cached-responses.ts";
import { getValue, transact } from "../browser-storage/database.ts";
import { completeLogout, readOwner, setOwner, startLogout } from "../browser-storage/owner.ts";
import { createNetworkFirst, type NetworkFirst, refetch } from "./network-first.ts";

const origin = "https://peers.example.net";
const one = "4242420001";
const other = "4242420002";
const now = Date.UTC(2026, 10, 22, 12);
const peerStatus = calls.getPeerStatus.path;

type FakeServer = (path: string, etag: string | null) => Promise<Response>;

let server: FakeServer;
let worker: NetworkFirst;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now });
  vi.stubGlobal("location", { origin });
  vi.stubGlobal("fetch", (input: Request | string, { signal }: RequestInit = {}) => {
    const path = typeof input === "string" ? input : new URL(input.url).pathname;
    const etag = typeof input === "string" ? null : input.headers.get("if-none-match");
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason as Error));
      server(path, etag).then(resolve, reject);
    });
  });
  worker = createNetworkFirst();
  await transact("readwrite", undefined, (store) => void store.clear());
  await setOwner(one);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const offline: FakeServer = () => Promise.reject(new TypeError("Failed to fetch"));
const hangs: FakeServer = () => new Promise(() => {});

function respondsWith(json: unknown, status = 200): FakeServer {
  return () => Promise.resolve(jsonResponse(json, status));
}

function respondsAfter(delayMs: number, json: unknown): FakeServer {
  return () =>
    new Promise((resolve) => {
      setTimeout(() => resolve(jsonResponse(json)), delayMs);
    });
}

function jsonResponse(json: unknown, status = 200): Response {
  return new Response(JSON.stringify(json), { status, headers: { "content-type": "application/json" } });
}

/** The worker's response to a page; undefined if the worker leaves the request to the browser. */
function send(path: string, body?: object): Promise<Response> | undefined {
  const request = new Request(new URL(path, origin), {
    method: body ? "POST" : "GET",
    ...(body && { body: JSON.stringify(body) }),
  });
  let response: Promise<Response> | undefined;
  const event = {
    request,
    respondWith: (given: Promise<Response>) => {
      response = given;
    },
    waitUntil: () => {},
  };
  worker.onFetch(event as unknown as FetchEvent);
  return response;
}

/** What a page reads: the JSON, and when it was fetched if it is cached; or the status of an error response. */
async function read(path: string, body?: object): Promise<unknown> {
  const response = await send(path, body);
  if (response?.ok !== true) return response?.status;
  const fetchedAt = response.headers.get(fetchedAtHeader);
  const json: unknown = await response.json();
  return fetchedAt === null ? json : { json, fetchedAt: Number(fetchedAt) };
}

/** Lets storage and promises finish what they can without time passing. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await readOwner();
}

/** Whether a read is done after some time. */
async function isDoneAfter(milliseconds: number, reading: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void Promise.allSettled([reading]).then(() => (isDone = true));
  await flush();
  await vi.advanceTimersByTimeAsync(milliseconds);
  await flush();
  return isDone;
}

/** Reads once, so that the response is cached. */
async function cache(path: string, body: object | undefined, json: unknown): Promise<void> {
  server = respondsWith(json);
  await read(path, body);
}

describe("a read", () => {
  test("gets the cached response with its time where the server cannot be reached", async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    vi.setSystemTime(now + 180_000);
    server = offline;
    expect(await read(peerStatus, { username: one })).toEqual({ json: ["fra01"], fetchedAt: now });
  });

  test("fails where nothing is cached", async () => {
    server = offline;
    await expect(read(peerStatus, { username: one })).rejects.toThrow("Failed to fetch");
  });

  test("gets the cached response of its own request body", async () => {
    const { path } = calls.getNodeStatus;
    await cache(path, { username: one, node: "fra01" }, { node: "fra01" });
    server = offline;
    await expect(read(path, { username: one, node: "syd01" })).rejects.toThrow("Failed to fetch");
  });

  test("gets the configuration of a peering from the response with all of them, or from a later one of its own", async () => {
    const onNode = { username: one, node: "syd01" };
    await cache(calls.getPeeringConfigs.path, { username: one }, [
      { node: "per01", peer: { remote: "other.example" }, provider: {} },
      { node: "syd01", peer: { remote: "old.example" }, provider: { public_ip: "192.0.2.1" } },
    ]);
    server = offline;
    const peer = await read(calls.getPeerConfig.path, onNode);
    expect(peer).toEqual({ json: { syd01: { remote: "old.example" } }, fetchedAt: now });
    const provider = await read(calls.getNodeConfig.path, onNode);
    expect(provider).toEqual({ json: { public_ip: "192.0.2.1" }, fetchedAt: now });
    await cache(calls.getPeerConfig.path, onNode, { syd01: { remote: "new.example" } });
    server = offline;
    expect(await read(calls.getPeerConfig.path, onNode)).toMatchObject({
      json: { syd01: { remote: "new.example" } },
    });
  });

  test("takes a proxy's error page for no response", async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = async () => new Response("<h1>Bad gateway</h1>", { headers: { "content-type": "text/html" } });
    expect(await read(peerStatus, { username: one })).toEqual({ json: ["fra01"], fetchedAt: now });
  });

  test.each(["text/html", "text/plain; charset=utf-8"])("takes JSON that is sent as %s", async (type) => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = async () => new Response('["syd01"]', { headers: { "content-type": type } });
    expect(await read(peerStatus, { username: one })).toEqual(["syd01"]);
    server = offline;
    expect(await read(peerStatus, { username: one })).toEqual({ json: ["syd01"], fetchedAt: now });
  });

  test.each([
    [401, "removes"],
    [403, "removes"],
    [404, "removes"],
    [429, "keeps"],
    [500, "keeps"],
    [503, "keeps"],
  ])("that is rejected with %i %s the cached response", async (status, outcome) => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = respondsWith({ message: "No" }, status);
    expect(await read(peerStatus, { username: one })).toBe(status);
    server = offline;
    const cached = await read(peerStatus, { username: one }).catch(() => undefined);
    expect(cached).toEqual(outcome === "keeps" ? { json: ["fra01"], fetchedAt: now } : undefined);
  });
});

describe("a connection that hangs", () => {
  beforeEach(async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
  });

  test("leads to the cached response when the time is over", async () => {
    server = hangs;
    const reading = read(peerStatus, { username: one });
    expect(await isDoneAfter(cachedReadTimeoutMs - 1, reading)).toBe(false);
    expect(await isDoneAfter(1, reading)).toBe(true);
    expect(await reading).toEqual({ json: ["fra01"], fetchedAt: now });
  });

  test("makes the next reads wait half a second", async () => {
    server = hangs;
    await isDoneAfter(cachedReadTimeoutMs, read(peerStatus, { username: one }));
    const reading = read(peerStatus, { username: one });
    expect(await isDoneAfter(499, reading)).toBe(false);
    expect(await isDoneAfter(1, reading)).toBe(true);
  });

  test("makes reads wait as before once a response has come in time", async () => {
    server = hangs;
    await isDoneAfter(cachedReadTimeoutMs, read(peerStatus, { username: one }));
    server = respondsAfter(1_000, ["fra01", "syd01"]);
    await isDoneAfter(1_000, read(peerStatus, { username: one }));
    server = hangs;
    expect(await isDoneAfter(cachedReadTimeoutMs - 1, read(peerStatus, { username: one }))).toBe(false);
  });

  test("still caches a response that is a little late", async () => {
    server = respondsAfter(cachedReadTimeoutMs + 3_000, ["fra01", "syd01"]);
    await isDoneAfter(cachedReadTimeoutMs + 3_000, read(peerStatus, { username: one }));
    server = offline;
    expect(await read(peerStatus, { username: one })).toMatchObject({ json: ["fra01", "syd01"] });
  });

  test("ends a slow call's wait for its router", async () => {
    const details = { username: one, node: "fra01" };
    await cache(calls.getPeerDetails.path, details, { output: "BGP is up" });
    server = hangs;
    const slow = read(calls.getPeerDetails.path, details);
    expect(await isDoneAfter(cachedReadTimeoutMs, slow)).toBe(false);
    await isDoneAfter(cachedReadTimeoutMs, read(peerStatus, { username: one }));
    expect(await isDoneAfter(0, slow)).toBe(true);
  });
});

test("a slow call waits as long as a router may take", async () => {
  const details = { username: one, node: "fra01" };
  await cache(calls.getPeerDetails.path, details, { output: "BGP is up" });
  server = respondsAfter(slowResponseTimeoutMs - 1_000, { output: "BGP is down" });
  const reading = read(calls.getPeerDetails.path, details);
  expect(await isDoneAfter(slowResponseTimeoutMs - 1_000, reading)).toBe(true);
  expect(await reading).toEqual({ output: "BGP is down" });
});

describe("the auth status", () => {
  const { path } = calls.authStatus;

  test("makes the AS that is logged in the owner, and removes the data of the previous one", async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = respondsWith({ isAuthenticated: true, username: other });
    await read(path);
    expect(await readOwner()).toBe(other);
    server = offline;
    await expect(read(peerStatus, { username: one })).rejects.toThrow("Failed to fetch");
  });

  test("with the AS as a number keeps the owner's data", async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = respondsWith({ isAuthenticated: true, username: Number(one) });
    await read(path);
    expect(await readOwner()).toBe(one);
    server = offline;
    expect(await read(peerStatus, { username: one })).toMatchObject({ json: ["fra01"] });
  });

  test("of no AS removes the owner's cached responses", async () => {
    await cache(peerStatus, { username: one }, ["fra01"]);
    server = respondsWith({ isAuthenticated: false, username: "" });
    await read(path);
    expect(await readOwner()).toBeUndefined();
    await setOwner(one);
    server = offline;
    await expect(read(peerStatus, { username: one })).rejects.toThrow("Failed to fetch");
  });

  test("is that of the owner where the server cannot be reached", async () => {
    server = offline;
    expect(await read(path)).toMatchObject({ json: { isAuthenticated: true, username: one } });
  });

  test("is unknown offline while a logout is pending, and the server's word sets no owner", async () => {
    await startLogout();
    server = offline;
    await expect(read(path)).rejects.toThrow("Failed to fetch");
    server = respondsWith({ isAuthenticated: true, username: one });
    await read(path);
    expect(await readOwner()).toBeUndefined();
  });

  test("that was requested before the logout was completed sets no owner", async () => {
    server = respondsAfter(2_000, { isAuthenticated: true, username: one });
    const reading = read(path);
    await isDoneAfter(1_000, reading);
    await startLogout();
    await completeLogout();
    expect(await isDoneAfter(1_000, reading)).toBe(true);
    expect(await readOwner()).toBeUndefined();
  });
});

test("a response that arrives after the logout is not cached", async () => {
  server = respondsAfter(1_000, ["fra01"]);
  const reading = read(peerStatus, { username: one });
  await isDoneAfter(500, reading);
  await startLogout();
  await isDoneAfter(500, reading);
  await completeLogout();
  await setOwner(one, Date.now() + 1);
  server = offline;
  await expect(read(peerStatus, { username: one })).rejects.toThrow("Failed to fetch");
});

test("requests that are no cached reads are left to the browser", () => {
  server = offline;
  expect(send(calls.login.path, { username: one, password: "secret" })).toBeUndefined();
  expect(send(calls.troubleshootBGP.path, { username: one, node: "fra01" })).toBeUndefined();
  expect(send(calls.getPeerStatus.path)).toBeUndefined();
  expect(send("https://dashboards.example.net/provider.json")).toBeUndefined();
  expect(send("/manager")).toBeUndefined();
});

test("public reads are cached ahead, and nothing else", async () => {
  const paths: string[] = [];
  server = (path) => {
    paths.push(path);
    return Promise.resolve(jsonResponse({ path }));
  };
  await worker.cachePublicReads();
  expect(paths).toContain(calls.provider.path);
  expect(paths).toContain(calls.mapVPNStatus.path);
  expect(paths).not.toContain(calls.authStatus.path);
  expect(paths).not.toContain(peerStatus);
  server = offline;
  expect(await read(calls.provider.path)).toEqual({ json: { path: "/provider.json" }, fetchedAt: now });
});

test("a refetch caches the response for the next read", async () => {
  server = respondsWith(["fra01", "syd01"]);
  await refetch(calls.getPeerStatus, { username: one });
  server = offline;
  expect(await read(peerStatus, { username: one })).toEqual({ json: ["fra01", "syd01"], fetchedAt: now });
});

describe("a read with an ETag", () => {
  const { path } = calls.getNodeSeries;
  /** The ETags that the server received; null without one. */
  let received: Array<string | null>;

  function respondsWithSeries(etag: string, json: unknown): FakeServer {
    return async (_path, known) => {
      received.push(known);
      const headers = { etag, date: new Date(now).toUTCString() };
      return known === etag
        ? new Response(null, { status: 304, headers })
        : new Response(JSON.stringify(json), { headers: { ...headers, "content-type": "application/json" } });
    };
  }

  beforeEach(() => {
    received = [];
  });

  test("sends that of the cached response, which the server confirms or replaces", async () => {
    server = respondsWithSeries('"one"', [1]);
    expect(await read(path)).toEqual([1]);
    vi.setSystemTime(now + 60_000);
    const confirmed = await send(path);
    expect([confirmed?.status, confirmed?.headers.get("date")]).toEqual([200, new Date(now).toUTCString()]);
    expect([await confirmed?.json(), confirmed?.headers.get(fetchedAtHeader)]).toEqual([[1], null]);
    server = offline;
    expect(await read(path)).toEqual({ json: [1], fetchedAt: now + 60_000 });
    server = respondsWithSeries('"two"', [2]);
    expect(await read(path)).toEqual([2]);
    expect(received).toEqual([null, '"one"', '"one"']);
  });

  test("is the owner's: another AS sends none and gets nothing cached", async () => {
    server = respondsWithSeries('"one"', [1]);
    await read(path);
    await setOwner(other);
    await read(path);
    expect(received).toEqual([null, null]);
    await startLogout();
    server = offline;
    await expect(read(path)).rejects.toThrow("Failed to fetch");
  });

  test("is sent without one if storage hangs", async () => {
    server = respondsWithSeries('"one"', [1]);
    await read(path);
    const recovery = new AbortController();
    const hanging = transact("readwrite", undefined, async (store) => {
      while (!recovery.signal.aborted) await getValue(store, "");
    });
    const reading = read(path);
    while (received.length < 2) await vi.advanceTimersByTimeAsync(1);
    recovery.abort();
    await hanging;
    // Storage counts as unavailable only after two seconds.
    expect(Date.now() - now).toBeLessThan(500);
    expect(received).toEqual([null, null]);
    expect(await reading).toEqual([1]);
  });
});

test("a new version deletes the cached responses of calls that it does not have", async () => {
  await cache(peerStatus, { username: one }, ["fra01"]);
  const former = { username: null, path: "/api/formerCall", requestBody: "" };
  await cacheResponse(former, { body: "[]", fetchedAt: now });
  await cacheResponse({ ...former, username: one }, { body: "[]", fetchedAt: now });
  await worker.deleteOldResponses();
  expect(await readCachedResponse(former)).toBeUndefined();
  expect(await readCachedResponse({ ...former, username: one })).toBeUndefined();
  server = offline;
  expect(await read(peerStatus, { username: one })).toMatchObject({ json: ["fra01"] });
});
