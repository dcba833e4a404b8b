/**
 * Replaces a broken version. A version that does not start cannot offer an update. So a new version, before it waits,
 * sends a liveness probe to the visible pages. If none of them replies, it takes over without asking and reloads them.
 *
 * - A working page is never taken over without asking. A page that was closed or reloaded during the probe cannot reply,
 *   so the page in its place is probed in turn.
 * - A version reloads each page once, and versions take over three times an hour at most: two servers with different
 *   versions behind one name cannot cause a reload loop.
 */
import type { MessageToPage } from "../contract/app/worker-messages.ts";
import { withTimeout } from "../browser-storage/timeout.ts";
import { isScreen } from "./shell.ts";

/** A loading page replies when it has rendered, which takes a slow device some time. */
const probeTimeoutMs = 8_000;

/** Persisted name: a cache with the times of recent takeovers. */
const takeoversCache = "peerdeck-takeovers";
const hourMs = 3_600_000;
const maxTakeoversPerHour = 3;

export interface Takeover {
  /** Call it at the end of the installation. */
  readonly takeOverFromBrokenVersion: () => Promise<void>;
  /** Call it when this version controls the pages. */
  readonly reloadBrokenPages: () => Promise<void>;
}

export function createTakeover(worker: ServiceWorkerGlobalScope): Takeover {
  const { clients, registration } = worker;
  let brokenPageIds: readonly string[] = [];
  const visiblePages = async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    return pages.filter(
      ({ url, visibilityState }) => visibilityState === "visible" && isScreen(new URL(url).pathname),
    );
  };
  return {
    takeOverFromBrokenVersion: async () => {
      if (registration.active === null) return;
      const probed = new Set<string>();
      let pages = await visiblePages();
      while (pages.some(({ id }) => !probed.has(id))) {
        for (const { id } of pages) probed.add(id);
        if (await isAnyAlive(pages)) return;
        pages = await visiblePages();
      }
      if (pages.length === 0 || !(await recordTakeover())) return;
      brokenPageIds = pages.map(({ id }) => id);
      await worker.skipWaiting();
    },
    reloadBrokenPages: async () => {
      const ids = brokenPageIds;
      brokenPageIds = [];
      await Promise.allSettled(
        ids.map(async (id) => {
          const page = await clients.get(id);
          if (page instanceof WindowClient) await page.navigate(withoutFragment(page.url));
        }),
      );
    },
  };
}

/** Whether one of the pages replies to the probe in time. */
function isAnyAlive(pages: readonly WindowClient[]): Promise<boolean> {
  const replied = new Promise<boolean>((resolve) => {
    for (const page of pages) {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => resolve(true), { once: true });
      port1.start();
      page.postMessage({ type: "liveness-probe" } satisfies MessageToPage, [port2]);
    }
  });
  return withTimeout(replied, probeTimeoutMs, false);
}

/** False if there were too many takeovers in the last hour. */
async function recordTakeover(): Promise<boolean> {
  const cache = await caches.open(takeoversCache);
  const recorded = ((await (await cache.match("/"))?.json()) ?? []) as readonly number[];
  const recent = recorded.filter((at) => at > Date.now() - hourMs);
  if (recent.length >= maxTakeoversPerHour) return false;
  await cache.put("/", new Response(JSON.stringify([...recent, Date.now()])));
  return true;
}

/** With a fragment, navigating to the same address would only scroll. */
function withoutFragment(url: string): string {
  const page = new URL(url);
  page.hash = "";
  return page.href;
}
