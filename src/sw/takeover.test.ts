import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { createTakeover as Create, Takeover } from "./takeover.ts";

const probeTimeoutMs = 8_000;
const hourMs = 3_600_000;

let createTakeover: typeof Create;
let caches: Map<string, Map<string, Response>>;

class FakeWindowClient {
  readonly id: string;
  readonly url: string;
  readonly visibilityState: string;
  readonly isAlive: boolean;
  readonly navigatedTo: string[] = [];
  probes = 0;

  constructor(id: string, { path = "/manager", visible = true, isAlive = false } = {}) {
    this.id = id;
    this.url = `https://peers.example.net${path}`;
    this.visibilityState = visible ? "visible" : "hidden";
    this.isAlive = isAlive;
  }

  postMessage(message: { readonly type: string }, [port]: readonly MessagePort[]): void {
    expect(message).toEqual({ type: "liveness-probe" });
    this.probes += 1;
    if (this.isAlive) port?.postMessage({ alive: true });
  }

  async navigate(url: string): Promise<void> {
    this.navigatedTo.push(url);
  }
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  // Workbox, which the shell is made with, reads it when it is imported.
  vi.stubGlobal("self", {});
  vi.stubGlobal("WindowClient", FakeWindowClient);
  caches = new Map();
  vi.stubGlobal("caches", {
    open: async (name: string) => {
      const entries = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, entries);
      return {
        match: async (key: string) => entries.get(key)?.clone(),
        put: async (key: string, response: Response) => void entries.set(key, response),
      };
    },
  });
  ({ createTakeover } = await import("./takeover.ts"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Version {
  readonly takeover: Takeover;
  readonly skipWaiting: ReturnType<typeof vi.fn<() => Promise<void>>>;
}

/** A new version of the worker, in a browser with these pages. */
function newVersion(pages: () => readonly FakeWindowClient[], active: object | null = {}): Version {
  const skipWaiting = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const worker = {
    registration: { active },
    skipWaiting,
    clients: {
      matchAll: async () => pages(),
      get: async (id: string) => pages().find((page) => page.id === id),
    },
  };
  return { takeover: createTakeover(worker as unknown as ServiceWorkerGlobalScope), skipWaiting };
}

/** Runs the probe to its end, however many rounds it takes. */
async function probe({ takeover }: Version): Promise<void> {
  const progress = { isDone: false };
  const probing = takeover.takeOverFromBrokenVersion().finally(() => {
    progress.isDone = true;
  });
  for (let round = 0; round < 10 && !progress.isDone; round++) {
    await messageTurn();
    await vi.advanceTimersByTimeAsync(probeTimeoutMs);
  }
  await probing;
}

/** Waits until the messages that were sent before have arrived. */
async function messageTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise((resolve) => {
    port1.addEventListener("message", resolve, { once: true });
  });
  port1.start();
  port2.postMessage(null);
  await arrived;
  port1.close();
}

/** Whether a new version takes over from a broken one. */
async function takesOver(): Promise<boolean> {
  const version = newVersion(() => [new FakeWindowClient("a")]);
  await probe(version);
  return version.skipWaiting.mock.calls.length === 1;
}

describe("a new version", () => {
  test("takes over if no visible page replies, and reloads those pages without their fragments", async () => {
    const broken = new FakeWindowClient("a", { path: "/manager?node=fra01#bgp" });
    const version = newVersion(() => [broken]);
    await probe(version);
    expect(version.skipWaiting).toHaveBeenCalledOnce();
    await version.takeover.reloadBrokenPages();
    await version.takeover.reloadBrokenPages();
    expect(broken.navigatedTo).toEqual(["https://peers.example.net/manager?node=fra01"]);
  });

  test("waits if one of several visible pages replies", async () => {
    const version = newVersion(() => [
      new FakeWindowClient("a"),
      new FakeWindowClient("b", { isAlive: true }),
    ]);
    await probe(version);
    expect(version.skipWaiting).not.toHaveBeenCalled();
  });

  test("waits if no page is visible, and probes neither hidden pages nor those that are no screens", async () => {
    const hidden = new FakeWindowClient("a", { visible: false });
    const outbox = new FakeWindowClient("b", { path: "/demo/outbox" });
    const version = newVersion(() => [hidden, outbox]);
    await probe(version);
    expect(version.skipWaiting).not.toHaveBeenCalled();
    expect(hidden.probes + outbox.probes).toBe(0);
  });

  test("probes a page that was loaded during the probe", async () => {
    const replaced = new FakeWindowClient("a");
    const working = new FakeWindowClient("b", { isAlive: true });
    const version = newVersion(() => [replaced.probes === 0 ? replaced : working]);
    await probe(version);
    expect(working.probes).toBe(1);
    expect(version.skipWaiting).not.toHaveBeenCalled();
  });

  test("waits if the page was closed during the probe", async () => {
    const closed = new FakeWindowClient("a");
    const version = newVersion(() => (closed.probes === 0 ? [closed] : []));
    await probe(version);
    expect(version.skipWaiting).not.toHaveBeenCalled();
  });

  test("takes over at most three times an hour", async () => {
    expect([await takesOver(), await takesOver(), await takesOver()]).toEqual([true, true, true]);
    expect(await takesOver()).toBe(false);
    vi.setSystemTime(Date.now() + hourMs);
    expect(await takesOver()).toBe(true);
  });

  test("counts the takeovers that a previous build has recorded", async () => {
    const recent = [1, 2, 3].map((minutes) => Date.now() - minutes * 60_000);
    caches.set("peerdeck-takeovers", new Map([["/", new Response(JSON.stringify(recent))]]));
    expect(await takesOver()).toBe(false);
  });
});

test("the first version has nothing to take over", async () => {
  const page = new FakeWindowClient("a");
  const version = newVersion(() => [page], null);
  await probe(version);
  expect(page.probes).toBe(0);
  expect(version.skipWaiting).not.toHaveBeenCalled();
});
