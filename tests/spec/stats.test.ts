import { expect } from "vitest";
import { provider } from "../../src/mocks/provider.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { arrivedAt, heading, seen } from "./seeing.ts";
import { statsRows } from "./table/stats.ts";

const panel = "https://grafana.example.org/routes?from=now-3h&to=now";

async function openPanel({ page, backend }: RowVisit) {
  await page.route("https://grafana.example.org/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "panel" }),
  );
  const dashboards = { ...provider.dashboards, total_routes: panel };
  backend.reply("provider", { ...provider, dashboards });
  await page.goto("/manager?view=stats");
  await seen(heading(page, "Total routes"), page.locator("iframe"));
}

testRows(
  statsRows,
  {
    "manager-menu-stats": async ({ page }) => {
      await page.goto("/manager");
      await page.getByRole("navigation", { name: "Manager" }).getByRole("link", { name: "Stats" }).click();
      await arrivedAt(page, "/manager?view=stats");
    },
    "stats-panel": async (visit) => {
      await openPanel(visit);
      expect(await visit.page.locator("iframe").count()).toBe(1);
    },
    "stats-drawn": async ({ page }) => {
      await page.goto("/manager?view=stats");
      const drawn = page.getByRole("region", { name: "Total routes", exact: true });
      await seen(drawn.getByText("last 3 hours", { exact: true }), drawn.getByRole("img", { name: /IPv4/ }));
      expect(await page.locator("iframe").count()).toBe(0);
    },
    "stats-three-hours": async (visit) => {
      await openPanel(visit);
      expect(await visit.page.locator("iframe").getAttribute("src")).toBe(panel);
    },
  },
  { signedIn: true },
);
