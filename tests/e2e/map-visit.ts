/** The map in a browser, with tiles, link states and node states that the test controls. */
import type { Page } from "playwright";
import { calls } from "../../src/contract/calls.ts";
import { historyCalls } from "../../src/contract/call-tables/history-calls.ts";
import type { Connection } from "../../src/contract/entities.ts";
import type { NetworkSummary } from "../../src/contract/history.ts";
import { encodePlot, encodeShares } from "../../src/domain/plot.ts";
import { type OpenOptions, openVisit } from "./open-page.ts";
import type { Visit } from "./visit.ts";

export const tileHost = "https://tile.openstreetmap.org";

const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#aad3df"/></svg>`;

export interface MapVisit extends Visit {
  /** The server's response to later requests. Null breaks the requests, as without a network. */
  links: readonly Connection[] | null;
  /** The same for the states of the nodes. Null: the server does not observe them. */
  summary: NetworkSummary | null;
  /** The number of requests for the links. */
  requestCount: number;
  /** Addresses and referrers of the requested tiles. */
  readonly tileRequests: ReadonlyArray<{ readonly url: string; readonly referrer: string | undefined }>;
}

export interface MapVisitOptions extends OpenOptions {
  /** Whether tiles are served. The default is false. */
  readonly withTiles?: boolean;
}

const someLinks: readonly Connection[] = [
  { from: "de01", to: "ny01", status: "up" },
  { from: "de01", to: "za01", status: "up" },
  { from: "sin01", to: "syd01", status: "down" },
];

const halfHours = Array.from({ length: 48 }, (_, index) => index);

/** Every node is up, except za01, which does not reply. */
const someSummary: NetworkSummary = {
  from: 0,
  nodes: ["syd01", "per01", "sin01", "de01", "ny01", "za01"].map((node) => ({
    node,
    now: node === "za01" ? "Down" : "OK",
    up: encodeShares(halfHours.map(() => 1)),
    uptime: 0.9998,
    cpu: encodePlot(halfHours.map((index) => 8 + (index % 30))),
    peerings: 41,
    capacity: 60,
  })),
  links: [
    { from: "de01", to: "ny01", latency: 78.4 },
    { from: "de01", to: "za01", latency: 154 },
  ],
};

/** Opens a page for the current test with stubbed tiles, links and node states. No tile is fetched from the network. */
export async function visitMap(
  url: string,
  { withTiles = false, ...options }: MapVisitOptions = {},
): Promise<MapVisit> {
  const visited = await openVisit(url, options);
  const tileRequests: Array<MapVisit["tileRequests"][number]> = [];
  const map: MapVisit = { ...visited, links: someLinks, summary: someSummary, requestCount: 0, tileRequests };
  const { page } = visited;
  await page.route(`${tileHost}/**`, (route) => {
    tileRequests.push({ url: route.request().url(), referrer: route.request().headers()["referer"] });
    return withTiles ? route.fulfill({ contentType: "image/svg+xml", body: tile }) : route.abort();
  });
  await page.route(`**${historyCalls.getNetworkSummary.path}`, (route) =>
    map.summary
      ? route.fulfill({ json: map.summary })
      : route.fulfill({ status: 404, json: { message: "No such call." } }),
  );
  await page.route(`**${calls.mapVPNStatus.path}`, (route) => {
    map.requestCount += 1;
    return map.links ? route.fulfill({ json: map.links }) : route.abort();
  });
  return map;
}

export const markers = (page: Page) =>
  page.getByRole("group", { name: "Map." }).getByRole("button", { name: /\.$/ });
export const marker = (page: Page, node: string) =>
  page.getByRole("group", { name: "Map." }).getByRole("button", { name: new RegExp(`^${node}\\.`) });
export const listed = (page: Page, node: string) =>
  page
    .getByRole("region", { name: "Nodes and links" })
    .getByRole("button", { name: new RegExp(`^${node}\\.`) });
export const popup = (page: Page) => page.locator(".leaflet-popup");

/** The position of a place on the screen while the map is centred on latitude 20, longitude 0 at zoom 2. */
export async function placeAtStart(page: Page, lat: number, lon: number) {
  const box = await page.getByRole("group", { name: "Map." }).boundingBox();
  if (!box) throw new Error("there is no map");
  const worldSize = 256 * 2 ** 2;
  return {
    x: box.x + box.width / 2 + (lon / 360) * worldSize,
    y: box.y + box.height / 2 + (mercator(20) - mercator(lat)) * worldSize,
  };
}

/** The vertical position of a latitude in the square Mercator map, from 0 to 1. */
function mercator(degrees: number): number {
  return Math.atanh(Math.sin((degrees * Math.PI) / 180)) / (2 * Math.PI);
}

export async function middleOf(page: Page, node: string) {
  const box = await marker(page, node).boundingBox();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The first letters of the names of the nodes within the map's frame. */
export async function visibleNodes(page: Page): Promise<string[]> {
  const frame = await page.getByRole("group", { name: "Map." }).boundingBox();
  const shown = await markers(page).evaluateAll(
    (all, { x, y, width, height }) => {
      const within = (box: DOMRect) =>
        box.left >= x && box.right <= x + width && box.top >= y && box.bottom <= y + height;
      return all
        .filter((each) => within(each.getBoundingClientRect()))
        .map((each) => each.getAttribute("aria-label")?.slice(0, 5) ?? "");
    },
    frame ?? { x: 0, y: 0, width: 0, height: 0 },
  );
  return shown.toSorted();
}
