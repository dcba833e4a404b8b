/** The screens with samples: nothing is wider than a narrow phone. */
import { beforeAll, expect, test } from "vitest";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { deployPeerings, openScreen, screens } from "../tools/pictures/screen-list.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const demo = useDemo({ hasTiles: false });

beforeAll(() => deployPeerings(demo.participant));

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
