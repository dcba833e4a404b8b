/**
 * A version that does not start cannot ask anybody to replace it. So a new one, before it waits, asks the pages that
 * are in front whether they live; where none of them does, it takes over by itself and loads those pages anew.
 *
 * - A page that lives is never taken over without having asked. One that was left or loaded anew meanwhile could not
 *   answer, so what stands in its place is asked in its turn.
 * - Each page is loaded anew once for a version, and versions take over by themselves three times in an hour at
 *   most: two servers with different versions behind one name do not make a page go round in circles.
 */
import type { ToPage } from "../contract/worker.ts";
import { isScreen } from "./shell.ts";

/** A page that is being loaded answers when it is drawn; a slow device takes its time for that. */
const patienceMs = 8_000;

const takeovers = "peerdeck-takeovers";
const hourMs = 3_600_000;
const mostAnHour = 3;

export interface Updates {
  /** At the end of the installation. */
  readonly replaceBroken: () => Promise<void>;
  /** When the pages have become ours. */
  readonly openAnew: () => Promise<void>;
}

export function createUpdates(worker: ServiceWorkerGlobalScope): Updates {
  const { clients, registration } = worker;
  let dead: readonly string[] = [];
  const inFront = async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    return pages.filter(
      ({ url, visibilityState }) => visibilityState === "visible" && isScreen(new URL(url).pathname),
    );
  };
  return {
    replaceBroken: async () => {
      if (registration.active === null) return;
      const asked = new Set<string>();
      let pages = await inFront();
      while (pages.some(({ id }) => !asked.has(id))) {
        for (const { id } of pages) asked.add(id);
        if (await anyLives(pages)) return;
        pages = await inFront();
      }
      if (pages.length === 0 || !(await noteTakeover())) return;
      dead = pages.map(({ id }) => id);
      await worker.skipWaiting();
    },
    openAnew: async () => {
      const ids = dead;
      dead = [];
      await Promise.allSettled(
        ids.map(async (id) => {
          const page = await clients.get(id);
          if (page instanceof WindowClient) await page.navigate(withoutFragment(page.url));
        }),
      );
    },
  };
}

/** Whether one of the pages answers in time. */
function anyLives(pages: readonly WindowClient[]): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), patienceMs);
    for (const page of pages) {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => resolve(true), { once: true });
      port1.start();
      page.postMessage({ type: "alive?" } satisfies ToPage, [port2]);
    }
  });
}

/** False where there were too many of late. */
async function noteTakeover(): Promise<boolean> {
  const cache = await caches.open(takeovers);
  const known = ((await (await cache.match("/"))?.json()) ?? []) as readonly number[];
  const recent = known.filter((at) => at > Date.now() - hourMs);
  if (recent.length >= mostAnHour) return false;
  await cache.put("/", new Response(JSON.stringify([...recent, Date.now()])));
  return true;
}

/** With it, the same address would lead to a place on the same page. */
function withoutFragment(url: string): string {
  const page = new URL(url);
  page.hash = "";
  return page.href;
}
