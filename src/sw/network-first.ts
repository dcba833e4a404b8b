/**
 * Reads of the contract that are marked `kept`: the network first, and what the device keeps where that fails
 * or takes too long.
 */
import type { Call } from "../contract/call.ts";
import { calls } from "../contract/calls.ts";
import type { AuthStatus } from "../contract/entities.ts";
import { knownAtHeader } from "../contract/kept.ts";
import { answerMs, keptReadMs, slowAnswerMs } from "../contract/patience.ts";
import { dropAnswer, keepAnswer, type KeptAnswer, readAnswer, type ReadKey } from "../device/answers.ts";
import { firstAbort } from "../device/first-abort.ts";
import { disown, own, readOwner } from "../device/owner.ts";

/** Just after the connection said nothing, it gets less: a screen makes several reads, one after the other. */
const shortPatienceMs = 500;
const remembersMs = 15_000;
/** For so long it may still come and be kept for the next screen. A new version waits for requests under way. */
const lateMs = 4_000;

/** Refusals that say something of what was kept: not theirs any more, or gone. The rest is about the request alone. */
const noLongerTrue: ReadonlySet<number> = new Set([401, 403, 404]);

const keptCalls = Object.values<Call>(calls).filter(({ kept }) => kept === true);

export interface NetworkFirst {
  /** Answers the event when it is such a read. */
  readonly answer: (event: FetchEvent) => void;
  /** Reads what is anybody's, so that after the first visit every public screen has something to show. */
  readonly readAhead: () => Promise<void>;
}

export function createNetworkFirst(): NetworkFirst {
  let slowUntil = 0;
  /** Of slow calls that wait: where the connection turns out to hang, they need not wait for a router. */
  const giveUps = new Set<() => void>();

  async function answerRead(event: FetchEvent, call: Call): Promise<Response> {
    const { request } = event;
    const asked = await request.clone().text();
    const late = new AbortController();
    const [patienceMs, limitMs] = call.slow === true ? [slowAnswerMs, slowAnswerMs] : [keptReadMs, answerMs];
    const signal = firstAbort(request.signal, late.signal, AbortSignal.timeout(limitMs));
    const askedAt = Date.now();
    const fresh = fetch(request, { signal }).then((response) => takeIn(call, asked, response, askedAt));
    const noteAnswer = () => {
      // It may be too late for the page, which had little patience, and yet show that the connection is well.
      if (Date.now() - askedAt < patienceMs) slowUntil = 0;
    };
    event.waitUntil(fresh.then(noteAnswer, () => undefined));
    const kept = call === calls.authStatus ? await ownersSession() : await readAnswer(keyOf(call, asked));
    if (!kept) return fresh;
    const answered = fresh.catch(() => null);
    const tooLate = new Promise<null>((resolve) => {
      const giveUp = () => resolve(null);
      setTimeout(giveUp, askedAt < slowUntil ? shortPatienceMs : patienceMs);
      if (call.slow !== true) return;
      giveUps.add(giveUp);
      void answered.then(() => giveUps.delete(giveUp));
    });
    const inTime = await Promise.race([answered, tooLate]);
    if (inTime !== null) return inTime;
    if (call.slow !== true) {
      slowUntil = Date.now() + remembersMs;
      for (const each of giveUps) each();
    }
    setTimeout(() => late.abort(), lateMs);
    return lastKnown(kept);
  }

  return {
    answer: (event) => {
      const { origin, pathname } = new URL(event.request.url);
      if (origin !== location.origin) return;
      const call = keptCalls.find(({ method, path }) => path === pathname && method === event.request.method);
      if (call) event.respondWith(answerRead(event, call));
    },
    readAhead: async () => {
      const anybodys = keptCalls.filter(
        (call) => call.access === "public" && call.body === null && call !== calls.authStatus,
      );
      await Promise.allSettled(
        anybodys.map(async (call) => takeIn(call, "", await fetch(call.path, { cache: "no-store" }))),
      );
    },
  };
}

/** Asks the server for such a read while no page does, and keeps what it says. Rejects where it says nothing. */
export async function askAnew(call: Call, body: object): Promise<void> {
  const { method, path } = call;
  const asked = JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  await takeIn(call, asked, await fetch(path, { method, headers, body: asked }));
}

/**
 * Keeps what the server said. Rejects where it was not our server that spoke: a proxy's error page is as good
 * as no network.
 */
async function takeIn(
  call: Call,
  asked: string,
  response: Response,
  askedAt = Date.now(),
): Promise<Response> {
  const isOurs = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (!isOurs) throw new TypeError(`${call.path} was not answered by the server.`);
  if (call === calls.authStatus) {
    if (response.ok) await changeOwner(await response.clone().json(), askedAt);
    return response;
  }
  const read = keyOf(call, asked);
  if (response.ok) await keepAnswer(read, { body: await response.clone().text(), at: Date.now() });
  else if (noLongerTrue.has(response.status)) await dropAnswer(read);
  return response;
}

async function changeOwner({ isAuthenticated, username }: AuthStatus, askedAt: number): Promise<void> {
  await (isAuthenticated ? own(username, askedAt) : disown());
}

/** Who is signed in as far as this device knows; undefined: nobody. */
async function ownersSession(): Promise<KeptAnswer | undefined> {
  const username = await readOwner();
  if (username === undefined) return undefined;
  const session: AuthStatus = { isAuthenticated: true, username };
  return { body: JSON.stringify(session), at: Date.now() };
}

function keyOf({ access, path }: Call, asked: string): ReadKey {
  if (access === "public") return { username: null, path, asked };
  const { username } = JSON.parse(asked) as { username: string };
  return { username, path, asked };
}

function lastKnown({ body, at }: KeptAnswer): Response {
  return new Response(body, { headers: { "content-type": "application/json", [knownAtHeader]: String(at) } });
}
