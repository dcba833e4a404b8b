/** What is said at the foot of a screen, and what it lies over. */
import type { Locator, Page } from "playwright";

export const offlineLine = (page: Page) => page.getByText("No connection to the server.");
export const updateNotice = (page: Page) => page.getByText("A new version is ready.").locator("..");
export const endedNotices = (page: Page) =>
  page.getByRole("region", { name: "Ended deployments" }).locator("> div");

interface Box {
  readonly what: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What lies over what, a sentence each: of the notices, what has the focus, and whatever else is named. */
export async function overlaps(
  page: Page,
  others: Readonly<Record<string, Locator>> = {},
): Promise<string[]> {
  const notices = [
    ...(await boxesOf("the offline line", offlineLine(page))),
    ...(await boxesOf("the offer of a version", updateNotice(page))),
    ...(await boxesOf("an ended deployment", endedNotices(page))),
  ];
  const beneath = await boxesOf("the focus", page.locator(":focus:not([aria-live] *)"));
  for (const [what, locator] of Object.entries(others)) beneath.push(...(await boxesOf(what, locator)));
  return notices.flatMap((notice, index) =>
    [...notices.slice(index + 1), ...beneath]
      .filter((other) => meet(notice, other))
      .map((other) => `${notice.what} and ${other.what}`),
  );
}

function boxesOf(what: string, locator: Locator): Promise<Box[]> {
  return locator.evaluateAll(
    (elements, name) =>
      elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { what: name, left, right, top, bottom };
      }),
    what,
  );
}

function meet(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
