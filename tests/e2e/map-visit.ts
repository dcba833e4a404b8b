/** The map in a browser, its tiles and the state of its links in the hands of the test. */
import type { Browser, Page } from "playwright";
import { calls } from "../../src/contract/calls.ts";
import type { Connection } from "../../src/contract/entities.ts";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

export const tileHost = "https://tile.openstreetmap.org";

const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#aad3df"/></svg>`;

export interface MapVisit extends Visit {
  /** What the server answers from now on; null: nothing, as without a network. */
  links: readonly Connection[] | null;
  /** How often it was asked. */
  asked: number;
  /** Addresses and referrers of the tiles that were asked for. */
  readonly tiles: ReadonlyArray<{ readonly url: string; readonly referrer: string | undefined }>;
}

export interface MapVisitOptions extends VisitOptions {
  /** Whether tiles arrive; not unless given. */
  readonly withTiles?: boolean;
}

export const someLinks: readonly Connection[] = [
  { from: "de01", to: "ny01", status: "up" },
  { from: "de01", to: "za01", status: "up" },
  { from: "sin01", to: "syd01", status: "down" },
];

/** A visitor's browser. No tile is ever fetched from the network. */
export async function visitMap(
  browser: Browser,
  url: string,
  { withTiles = false, ...options }: MapVisitOptions = {},
): Promise<MapVisit> {
  const visited = await visit(browser, url, options);
  const tiles: Array<MapVisit["tiles"][number]> = [];
  const map: MapVisit = { ...visited, links: someLinks, asked: 0, tiles };
  const { page } = visited;
  await page.route(`${tileHost}/**`, (route) => {
    tiles.push({ url: route.request().url(), referrer: route.request().headers()["referer"] });
    return withTiles ? route.fulfill({ contentType: "image/svg+xml", body: tile }) : route.abort();
  });
  await page.route(`**${calls.mapVPNStatus.path}`, (route) => {
    map.asked += 1;
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
