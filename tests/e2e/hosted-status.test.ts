/** The profile's status page in its frame: it works there, and it cannot access the app around it. */
import type { Browser, Frame, Page } from "playwright";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { profileServer } from "../integration/server/profile-server.ts";
import { sharedBrowser } from "./browser.ts";
import { visit } from "./visit.ts";
import { serveWebPage } from "./web-page.ts";

/** A page that needs scripts, and that tries to access its parent. */
const monitor = `<!doctype html><title>Uptime</title><h1>Uptime</h1>
<p id="data"></p><p id="stored"></p><p id="reached">not tried</p>
<form action="/subscribed"><button>Subscribe</button></form>
<script>
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const tried = (act) => { try { act(); return "yes"; } catch { return "no"; } };
  fetch("/data").then((response) => response.text()).then((text) => show("data", text), () => show("data", "refused"));
  show("stored", tried(() => localStorage.setItem("theme", "dark")));
  show("reached", tried(() => parent.document.title));
</script>`;

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});

async function openStatus(statusPage: string, before: (page: Page) => Promise<unknown> = async () => {}) {
  const server = await profileServer({ status_page: statusPage });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visited = await visit(browser, server.url);
  onTestFinished(() => visited[Symbol.asyncDispose]());
  await before(visited.page);
  await visited.page.goto("/status");
  const frame = visited.page.getByTitle("the uptime monitor");
  await frame.waitFor();
  return { ...visited, server, frame };
}

async function inner(page: Page): Promise<Frame> {
  await expect.poll(() => page.frames().length).toBe(2);
  const frame = page.frames()[1];
  if (!frame) throw new Error("the page embeds nothing");
  await expect.poll(() => textOf(frame, "reached")).not.toBe("not tried");
  return frame;
}

const textOf = (frame: Frame, id: string) => frame.locator(`#${id}`).textContent();

async function otherPage(html: string) {
  const served = await serveWebPage(html);
  onTestFinished(() => served[Symbol.asyncDispose]());
  return served;
}

test("a hosted page works, 800 pixels high, and can access neither the app nor its tab", async () => {
  const hosted = await otherPage(monitor);
  const { page, frame, consoleErrors } = await openStatus(`${hosted.url}/public`);
  const inside = await inner(page);
  await expect.poll(() => textOf(inside, "data")).toBe("operational");
  expect(await textOf(inside, "stored")).toBe("yes");
  expect(await frame.evaluate((element) => element.clientHeight)).toBe(800);
  expect(await page.getByText("Loading the uptime monitor…").count()).toBe(0);
  const link = page.getByRole("link", { name: "open it in a new tab" });
  const [tab] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await tab.getByRole("heading", { name: "Uptime" }).waitFor();
  expect(tab.url()).toBe(`${hosted.url}/public`);
  expect(consoleErrors).toEqual([]);

  expect(await textOf(inside, "reached")).toBe("no");
  const address = page.url();
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await inside.evaluate(() => {
    const leave = Object.assign(document.createElement("a"), { href: "/taken", target: "_top" });
    document.body.append(leave);
    leave.click();
    alert("Sign in again");
  });
  await inside.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(() => hosted.requestedPaths.some((path) => path.startsWith("/subscribed"))).toBe(true);
  expect(hosted.requestedPaths).not.toContain("/taken");
  expect([page.url(), dialogs]).toEqual([address, []]);
  await page.getByRole("heading", { name: "Status" }).waitFor();
});

test("a page of the app's own host is shown too, without the app's rights", async () => {
  const { page } = await openStatus("/uptime/", (fresh) =>
    fresh.route("**/uptime/", (route) => route.fulfill({ contentType: "text/html", body: monitor })),
  );
  const inside = await inner(page);
  await inside.getByRole("heading", { name: "Uptime" }).waitFor();
  expect(await textOf(inside, "reached")).toBe("no");
  expect(await textOf(inside, "stored")).toBe("no");
});
