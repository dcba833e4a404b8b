/**
 * Reads of the contract that are marked `cached`: network first, and the device's cached response if the network fails or
 * is slow.
 */
import type { Call } from "../contract/call.ts";
import { fetchedAtHeader } from "../contract/app/worker-messages.ts";
import { calls } from "../contract/calls.ts";
import type { AuthStatus } from "../contract/entities.ts";
import { cachedReadTimeoutMs, responseTimeoutMs, slowResponseTimeoutMs } from "../contract/timeouts.ts";
import {
  type CachedResponse,
  cacheResponse,
  deleteCachedResponse,
  deleteResponsesExcept,
  readCachedResponse,
  type ResponseKey,
} from "../browser-storage/cached-responses.ts";
import { clearOwner, readOwner, setOwner } from "../browser-storage/owner.ts";
import { anySignal, withTimeout } from "../browser-storage/timeout.ts";
import { cachePeeringConfigs } from "./peering-configs.ts";
import { isCallUnsupported, recordUnsupportedCall, sendAlone } from "../browser-storage/unsupported-calls.ts";

/** Timeout of the reads that follow a timeout: a screen makes several reads, one after the other. */
const shortTimeoutMs = 500;
/** How long after a timeout reads use the short timeout. */
const shortTimeoutPeriodMs = 15_000;
/** A late response is still cached for the next screen. Not longer: a new version waits for pending requests. */
const lateResponseMs = 4_000;
/** How long a request waits for the ETag of the cached response. Storage that hangs must not delay it. */
const etagTimeoutMs = 50;

/**
 * Statuses that invalidate a cached response: not logged in, logged in as another AS, or no such resource. Other errors are
 * about the request.
 */
const invalidatingStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

const allCalls = Object.values<Call>(calls);
const cachedCalls = allCalls.filter(({ cached }) => cached === true);

export interface NetworkFirst {
  /** Responds to the event if it is such a read. */
  readonly onFetch: (event: FetchEvent) => void;
  /** Caches the public reads, so that every public screen works offline after the first visit. */
  readonly cachePublicReads: () => Promise<void>;
  /** Deletes the cached responses of calls that this version does not have. */
  readonly deleteOldResponses: () => Promise<void>;
}

export function createNetworkFirst(): NetworkFirst {
  let shortTimeoutUntil = 0;
  /** Called when a read times out: pending slow calls then stop waiting for their router. */
  const hangListeners = new Set<() => void>();

  /** Resolves to null if another read finds that the connection hangs. */
  function nullIfConnectionHangs<T>(response: Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const abandon = () => resolve(null);
      hangListeners.add(abandon);
      void response.then(resolve).finally(() => hangListeners.delete(abandon));
    });
  }

  async function respond(event: FetchEvent, call: Call): Promise<Response> {
    const { request } = event;
    const isSlow = call.slow === true;
    const requestBody = await request.clone().text();
    const lateAbort = new AbortController();
    const timeoutMs = isSlow ? slowResponseTimeoutMs : cachedReadTimeoutMs;
    const abortAfterMs = isSlow ? slowResponseTimeoutMs : responseTimeoutMs;
    const signal = anySignal(request.signal, lateAbort.signal, AbortSignal.timeout(abortAfterMs));
    const requestedAt = Date.now();
    const key = keyOf(call, requestBody);
    const reading = call === calls.authStatus ? readOwnersAuthStatus() : key.then(readCachedResponse);
    const validated =
      call.hasEtag === true ? await withTimeout(reading, etagTimeoutMs, undefined) : undefined;
    const response = fetch(withEtag(request, validated?.etag), { signal });
    const fresh = response.then(async (received) =>
      received.status === 304 && validated
        ? confirmResponse(await key, validated, received)
        : storeResponse(call, requestBody, received, requestedAt),
    );
    const endShortTimeout = () => {
      // The response may be too late for this read's short timeout, and still show that the connection works.
      if (Date.now() - requestedAt < timeoutMs) shortTimeoutUntil = 0;
    };
    event.waitUntil(fresh.then(endShortTimeout, () => undefined));
    const cached = await reading;
    if (!cached) return fresh.catch(() => response);
    const received = fresh.catch(() => null);
    const inTime = await withTimeout(
      isSlow ? nullIfConnectionHangs(received) : received,
      requestedAt < shortTimeoutUntil ? shortTimeoutMs : timeoutMs,
      null,
    );
    if (inTime !== null) return inTime;
    if (!isSlow) {
      shortTimeoutUntil = Date.now() + shortTimeoutPeriodMs;
      for (const abandon of hangListeners) abandon();
    }
    setTimeout(() => lateAbort.abort(), lateResponseMs);
    return toResponse(cached);
  }

  return {
    onFetch: (event) => {
      const { origin, pathname } = new URL(event.request.url);
      if (origin !== location.origin) return;
      const call = cachedCalls.find(
        ({ method, path }) => path === pathname && method === event.request.method,
      );
      if (call) event.respondWith(respond(event, call));
    },
    deleteOldResponses: () => deleteResponsesExcept(new Set(allCalls.map(({ path }) => path))),
    cachePublicReads: async () => {
      const publicReads = cachedCalls.filter(
        (call) => call.access === "public" && call.body === null && call !== calls.authStatus,
      );
      await Promise.allSettled(
        publicReads.map((call) =>
          sendAlone(call.path, async () => {
            if (await isCallUnsupported(call.path)) return;
            const response = await fetch(call.path, { cache: "no-store" });
            if (call.optional === true && response.status === 404) await recordUnsupportedCall(call.path);
            await storeResponse(call, "", response);
          }),
        ),
      );
    },
  };
}

/** Makes such a read for no page, and caches and returns the response. Rejects without a response. */
export async function refetch(call: Call, body: object): Promise<Response> {
  const { method, path } = call;
  const requestBody = JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  return storeResponse(call, requestBody, await fetch(path, { method, headers, body: requestBody }));
}

/**
 * Caches a response, or deletes the cached one if the status invalidates it. The auth status sets or clears the owner
 * instead. Throws a `TypeError` if the response is not JSON, for example a proxy's error page; a 4xx may be anything.
 */
async function storeResponse(
  call: Call,
  requestBody: string,
  response: Response,
  requestedAt = Date.now(),
): Promise<Response> {
  if (!(await isJson(response))) {
    // Another server may explain an error in any format.
    if (response.status >= 400 && response.status < 500) return response;
    throw new TypeError(`The response to ${call.path} is not from the server.`);
  }
  if (call === calls.authStatus) {
    if (response.ok) await updateOwner(await response.clone().json(), requestedAt);
    return response;
  }
  if (call === calls.getPeeringConfigs) {
    if (response.ok) await cachePeeringConfigs(requestBody, await response.clone().json());
    return response;
  }
  const key = await keyOf(call, requestBody);
  const etag = response.headers.get("etag");
  if (response.ok) {
    const body = await response.clone().text();
    await cacheResponse(key, { body, fetchedAt: Date.now(), ...(etag !== null && { etag }) });
  }
  if (invalidatingStatuses.has(response.status)) await deleteCachedResponse(key);
  return response;
}

/** Adds the ETag of the cached response. The request is not for the browser's cache, so the worker receives the 304. */
function withEtag(request: Request, etag: string | undefined): Request {
  if (etag === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("if-none-match", etag);
  return new Request(request, { headers });
}

/** Returns the cached response, which the server has confirmed. */
async function confirmResponse(
  key: ResponseKey,
  cached: CachedResponse,
  { headers }: Response,
): Promise<Response> {
  await cacheResponse(key, { ...cached, fetchedAt: Date.now() });
  const date = headers.get("date");
  return new Response(cached.body, {
    headers: { "content-type": "application/json", ...(date !== null && { date }) },
  });
}

/** Whether the body is JSON. Another server may send JSON with any type. */
async function isJson(response: Response): Promise<boolean> {
  const type = response.headers.get("content-type");
  if (type === null || /^application\/([\w.-]+\+)?json\b/.test(type)) return true;
  try {
    JSON.parse(await response.clone().text());
    return true;
  } catch {
    return false;
  }
}

/** Another server may send the AS as a number. The page reads it as text. */
type AnyAuthStatus = Omit<AuthStatus, "username"> & { readonly username: string | number };

async function updateOwner({ isAuthenticated, username }: AnyAuthStatus, requestedAt: number): Promise<void> {
  await (isAuthenticated ? setOwner(String(username), requestedAt) : clearOwner());
}

/** The auth status as this device last knew it; undefined if no AS was logged in. */
async function readOwnersAuthStatus(): Promise<CachedResponse | undefined> {
  const username = await readOwner();
  if (username === undefined) return undefined;
  const status: AuthStatus = { isAuthenticated: true, username };
  return { body: JSON.stringify(status), fetchedAt: Date.now() };
}

async function keyOf({ access, path, body }: Call, requestBody: string): Promise<ResponseKey> {
  if (access === "public") return { username: null, path, requestBody };
  // The same for every participant: it belongs to the AS that is logged in.
  if (body === null) return { username: (await readOwner()) ?? "", path, requestBody };
  const { username } = JSON.parse(requestBody) as { username: string };
  return { username, path, requestBody };
}

function toResponse({ body, fetchedAt }: CachedResponse): Response {
  const headers = { "content-type": "application/json", [fetchedAtHeader]: String(fetchedAt) };
  return new Response(body, { headers });
}
