/** The screens with samples: nothing is wider than a narrow phone. */
import { beforeAll, expect, test } from "vitest";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { deployPeerings, openScreen, screens } from "../tools/pictures/screen-list.ts";
import { createAudit } from "./axe-audit.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const demo = useDemo({ hasTiles: false });

beforeAll(() => deployPeerings(demo.participant));

const sixty = screens.filter(({ name }) => name === "dashboard-sixty");

test.each(sixty.flatMap((screen) => [1024, 1280, 1440].map((width) => ({ screen, width }))))(
  "the rows of the dashboard have two lines, and the header has room for all of it, $width px wide",
  async ({ screen, width }) => {
    const page = await openPage(demo.url, { viewport: { width, height: 900 }, as: demo.participant });
    await openScreen(page, screen);
    const heights = await page
      .locator("li:has(> a.view)")
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(heights).toHaveLength(60);
    // Numbers of twelve digits need a third line.
    expect(heights.filter((height) => height < 52 || height > 60)).toEqual(width < 1280 ? [] : [66]);
    const facts = await page.locator("header dl").boundingBox();
    const lastLink = await page.getByRole("link", { name: "Map", exact: true }).first().boundingBox();
    if (!facts || !lastLink) throw new Error("the header is not complete");
    expect(lastLink.x + lastLink.width).toBeLessThanOrEqual(facts.x);
    // The demo of the other audits has no history, and so no plots.
    if (width === 1280) {
      await page.getByRole("slider").first().focus();
      const views = [{ viewport: { width, height: 900 }, colorScheme: "dark" as const }];
      await createAudit(page, views)("plots", page.getByRole("slider").first());
    }
  },
);

/** Many nodes or peerings, long names, and nodes that are silent. The others are audited in `accessibility*.test.ts`. */
const withSamples = screens.filter(({ name }) => /24|sixty|one|large|silent|no-history/.test(name));

test.each(shareOfCommit(withSamples))("$name fits on a phone of 320 px", async (screen) => {
  const page = await openPage(demo.url, {
    viewport: { width: 320, height: 844 },
    ...(screen.manager && { as: demo.participant }),
  });
  await openScreen(page, screen);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
