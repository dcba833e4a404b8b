/** The profile's status page in its frame: it works there, and it cannot access the app around it. */
import type { Frame, Page } from "playwright";
import { expect, test } from "vitest";
import { profileServer } from "../integration/server/profile-server.ts";
import { openUnwatched } from "./open-page.ts";
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

async function inner(page: Page): Promise<Frame> {
  await expect.poll(() => page.frames().length).toBe(2);
  const frame = page.frames()[1];
  if (!frame) throw new Error("the page embeds nothing");
  await expect.poll(() => textOf(frame, "reached")).not.toBe("not tried");
  return frame;
}

const textOf = (frame: Frame, id: string) => frame.locator(`#${id}`).textContent();

test("a hosted page works, 800 pixels high, and can access neither the app nor its tab", async () => {
  await using hosted = await serveWebPage(monitor);
  await using server = await profileServer({ status_page: `${hosted.url}/public` });
  const { page, consoleErrors } = await openUnwatched(server.url);
  await page.goto("/status");
  const frame = page.getByTitle("the uptime monitor");
  const inside = await inner(page);
  await expect.poll(() => textOf(inside, "data")).toBe("operational");
  expect(await textOf(inside, "stored")).toBe("yes");
  expect(await frame.evaluate((element) => element.clientHeight)).toBe(800);
  // The frame reports that it has loaded after its page has drawn.
  await expect.poll(() => page.getByText("Loading the uptime monitor…").count()).toBe(0);
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
