/** The notices at the bottom of a screen, and what they cover. */
import type { Locator, Page } from "playwright";

export const offlineNotice = (page: Page) => page.getByText("No connection to the server.");
export const updateNotice = (page: Page) => page.getByText("A new version is ready.").locator("..");
export const completionNotices = (page: Page) =>
  page.getByRole("region", { name: "Finished deployments" }).locator("> div");

interface Box {
  readonly what: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns a sentence for each overlap between the notices, the focused element and the named elements. */
export async function findOverlaps(
  page: Page,
  others: Readonly<Record<string, Locator>> = {},
): Promise<string[]> {
  const notices = [
    ...(await findBoxes("the offline notice", offlineNotice(page))),
    ...(await findBoxes("the update notice", updateNotice(page))),
    ...(await findBoxes("a completion notice", completionNotices(page))),
  ];
  const beneath = await findBoxes("the focus", page.locator(":focus:not([aria-live] *)"));
  for (const [what, locator] of Object.entries(others)) beneath.push(...(await findBoxes(what, locator)));
  return notices.flatMap((notice, index) =>
    [...notices.slice(index + 1), ...beneath]
      .filter((other) => overlap(notice, other))
      .map((other) => `${notice.what} and ${other.what}`),
  );
}

function findBoxes(what: string, locator: Locator): Promise<Box[]> {
  return locator.evaluateAll(
    (elements, name) =>
      elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { what: name, left, right, top, bottom };
      }),
    what,
  );
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
