/**
 * The app's own files: precached as a whole, and one page for every screen, so that each screen opens offline.
 *
 * Files of the previous version stay until the next update: a tab that was not reloaded still finds its chunks.
 */
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { withTimeout } from "../browser-storage/timeout.ts";

const page = "/index.html";
/** Browsers request it when they install the app. The server adds the provider's name, so it is not precached. */
const manifest = "manifest.webmanifest";
/** Persisted name: the cache with the files of the previous build. */
const previousBuildCache = "peerdeck-previous-build";

/** Paths of the server's own responses: calls, the demo's pages, the health checks. */
const serverPaths = [/^\/api(\/|$)/, /^\/demo(\/|\.|$)/, /^\/(?:healthz|readyz)$/];
/** Paths that may be files of the server, such as `/provider.json`. */
const filePaths = [/^\/assets\//, /\.[^/]*$/];
/** How long the server may take to say whether a path is one of its files. */
const fileTimeoutMs = 3_000;

/** Whether a page that was loaded from this path shows a screen of the app. */
export function isScreen(pathname: string): boolean {
  return !isServerPath(pathname) && !isFilePath(pathname);
}

function isServerPath(pathname: string): boolean {
  return serverPaths.some((pattern) => pattern.test(pathname));
}

function isFilePath(pathname: string): boolean {
  return filePaths.some((pattern) => pattern.test(pathname));
}

export interface Shell {
  readonly install: (event: ExtendableEvent) => Promise<void>;
  readonly activate: (event: ExtendableEvent) => Promise<void>;
}

export function createShell(files: Array<PrecacheEntry | string>): Shell {
  const controller = new PrecacheController();
  controller.addToCacheList(files.filter((file) => typeof file === "string" || file.url !== manifest));
  registerRoute(new PrecacheRoute(controller, { ignoreURLParametersMatching: [], cleanURLs: false }));
  // Not Workbox's `NavigationRoute`: it matches its lists against the path with the query string.
  const openPage = controller.createHandlerBoundToURL(page);
  registerRoute(
    ({ request, url }) => request.mode === "navigate" && !isServerPath(url.pathname),
    async (options) =>
      (isFilePath(options.url.pathname) ? await fetchFile(options.request) : null) ?? openPage(options),
  );
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/assets/"),
    async ({ request }) => (await caches.match(request, { cacheName: previousBuildCache })) ?? fetch(request),
  );
  return {
    install: async (event) => void (await controller.install(event)),
    activate: async (event) => {
      await savePreviousBuild(controller);
      await controller.activate(event);
    },
  };
}

/**
 * Navigates to a file of the server. Resolves to null if the server has no such file or does not respond: the app then
 * shows that the path is unknown.
 */
async function fetchFile(request: Request): Promise<Response | null> {
  const response = await withTimeout(
    fetch(request).catch(() => null),
    fileTimeoutMs,
    null,
  );
  // The server too responds with the app's page to an unknown path.
  const isPage = response?.headers.get("content-type")?.startsWith("text/html") === true;
  return response?.ok === true && !isPage ? response : null;
}

/** Copies the chunks that this version lacks before Workbox removes them from the precache. */
async function savePreviousBuild(controller: PrecacheController): Promise<void> {
  const current = new Set(controller.getCachedURLs());
  const precache = await caches.open(controller.strategy.cacheName);
  const requests = (await precache.keys()).filter(
    ({ url }) => new URL(url).pathname.startsWith("/assets/") && !current.has(url),
  );
  if (requests.length === 0) return;
  await caches.delete(previousBuildCache);
  const cache = await caches.open(previousBuildCache);
  for (const request of requests) {
    const response = await precache.match(request);
    if (response) await cache.put(request, response);
  }
}
