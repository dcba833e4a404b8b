/** The web app on servers that have the calls and fields of the specification's section 7, and nothing beyond. */
import type { Route } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { livePath } from "#contract/live-events.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { tileHost } from "./map-visit.ts";
import { openPage } from "./open-page.ts";
import { recordFailures } from "./specified-server/failures.ts";
import { type MoodName, moods } from "./specified-server/moods.ts";
import { type PageClock, takeOverClock } from "./specified-server/page-clock.ts";
import { type LoggedRequest, type SpecifiedServer, startSpecifiedServer } from "./specified-server/server.ts";
import * as walks from "./specified-server/walk.ts";

const account = { asn: "4242420001", password: "a sentence for the tests" };
const node = "sin01";

/** Opens the app, with its service worker, on a server of this mood. The page and the server have the same clock. */
async function openApp(mood: MoodName): Promise<{ server: SpecifiedServer; walk: walks.Walk }> {
  let clock: PageClock | undefined;
  const now = () => Date.now() + (clock?.aheadMs() ?? 0);
  const server = await startSpecifiedServer({ mood, account, now });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const page = await openPage(server.url, { worker: true });
  await page.context().route(`${tileHost}/**`, fulfillTile);
  const failures = await recordFailures(page, allowedAlerts(mood));
  clock = await takeOverClock(page);
  return { server, walk: { page, clock, failures, ...account } };
}

/** A ping that did not succeed is a failure that the server has sent. */
const allowedAlerts = (mood: MoodName) => [
  "Bad URL.",
  ...(mood === "unknown status words" ? ["Failed!"] : []),
];

const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"></svg>`;
const fulfillTile = (route: Route) => route.fulfill({ contentType: "image/svg+xml", body: tile });

/**
 * Paths that are tried more than twice within a minute, and respond with 404. A page that is left before it has the response
 * cannot know it, and the next page repeats the request. The event stream is tried with two requests.
 */
function repeatedTooSoon(requests: readonly LoggedRequest[]): string[] {
  const missing = requests.filter(({ status }) => status === 404);
  return missing.flatMap(({ path, at }, index) => {
    const before = missing.slice(0, index).filter((each) => each.path === path && at - each.at < 60_000);
    const allowed = path === livePath ? 4 : 2;
    return before.length >= allowed ? [`${path} after ${at - (before[0]?.at ?? at)} ms`] : [];
  });
}

test.each(oneOfCommit(Object.keys(moods) as MoodName[]))(
  "%s: the main job is done on every screen",
  async (mood) => {
    const { server, walk } = await openApp(mood);
    await walks.walkPublicScreens(walk);
    await walks.walkAccountScreens(walk);
    await walks.logIn(walk);
    await walks.createPeering(walk, node);
    await walks.lookAtNodes(walk, node);
    await walks.walkOverview(walk, node, mood === "unknown status words");
    await walks.walkManagerViews(walk, node);
    await walks.stayOnScreens(walk, node);
    await walks.editPeering(walk, node);
    await walks.deletePeering(walk, node);
    await walks.logOut(walk);

    expect(repeatedTooSoon(server.requests)).toEqual([]);
    // A request that section 7 does not have, in its body or its order.
    expect(server.requests.filter(({ status }) => status === 400 || status === 422)).toEqual([]);
  },
);
