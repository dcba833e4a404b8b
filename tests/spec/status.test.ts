import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, heading, seen, text } from "./seeing.ts";
import { statusRows } from "./table/status.ts";

async function openHosted({ page, backend }: RowVisit) {
  await page.route("https://status.example.org/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>All is up</h1>" }),
  );
  backend.reply("provider", { ...provider, status_page: "https://status.example.org/" });
  await page.goto("/status");
  const frame = page.locator("iframe");
  await seen(frame);
  return frame;
}

const is800High: RowTest = async (visit) => {
  const frame = await openHosted(visit);
  expect(await frame.evaluate((element) => element.getBoundingClientRect().height)).toBe(800);
};

testRows(statusRows, {
  "route-status": async ({ page }) => {
    await page.goto("/status");
    await seen(heading(page, "Status"), page.getByRole("navigation", { name: "Main" }));
  },
  "layout-nav-status": async ({ page }) => {
    await page.goto("/");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Status", exact: true })
      .click();
    await arrivedAt(page, "/status");
  },
  "status-frame": async (visit) => {
    const frame = await openHosted(visit);
    expect(await frame.getAttribute("src")).toBe("https://status.example.org/");
    await seen(frame.contentFrame().getByRole("heading", { name: "All is up" }));
  },
  "status-own": async ({ page }) => {
    await page.goto("/status");
    for (const { name } of provider.nodes) await seen(text(page, `${name}.${provider.domain}`));
    expect(await page.locator("iframe").count()).toBe(0);
  },
  "status-scripts": async (visit) => {
    const frame = await openHosted(visit);
    expect((await frame.getAttribute("sandbox"))?.split(" ")).toContain("allow-scripts");
  },
  "status-height": is800High,
  "status-height-constant": is800High,
});
