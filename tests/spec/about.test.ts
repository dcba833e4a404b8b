import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, heading, seen } from "./seeing.ts";
import { aboutRows } from "./table/about.ts";

const hasSection =
  (name: string): RowTest =>
  async ({ page }) => {
    await page.goto("/about");
    await seen(heading(page, name));
  };

const tellsResolver: RowTest = async ({ page, backend }) => {
  backend.reply("provider", { ...provider, resolver: "172.20.1.53" });
  await page.goto("/about");
  const services = page.getByRole("region", { name: "Services" });
  await seen(services.getByText("172.20.1.53", { exact: true }));
  expect(await services.textContent()).toMatch(/DNS server.*resolver address/);
};

testRows(aboutRows, {
  "route-about": async ({ page }) => {
    await page.goto("/about");
    await seen(heading(page, "About"), page.getByRole("navigation", { name: "Main" }));
  },
  "layout-nav-about": async ({ page }) => {
    await page.goto("/");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "About", exact: true })
      .click();
    await arrivedAt(page, "/about");
  },
  "about-nodes": hasSection("Nodes/Routers"),
  "about-management": hasSection("Infrastructure Management"),
  "about-services": hasSection("Services"),
  "about-resolver": tellsResolver,
  "about-resolver-constant": tellsResolver,
  "about-looking-glass": async ({ page }) => {
    await page.goto("/about");
    const link = page
      .getByRole("region", { name: "Services" })
      .locator(`a[href="${provider.looking_glass}"]`);
    await seen(link);
  },
});
