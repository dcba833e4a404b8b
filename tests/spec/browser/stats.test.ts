import { expect } from "vitest";
import { testRows } from "./rows.ts";
import { expectShown } from "./screen.ts";
import { statsRows } from "../table/stats.ts";

testRows(
  statsRows,
  {
    "stats-drawn": async ({ page }) => {
      await page.goto("/manager?view=stats");
      const drawn = page.getByRole("region", { name: "Total routes", exact: true });
      await expectShown(
        drawn.getByText("last 3 hours", { exact: true }),
        drawn.getByRole("img", { name: /IPv4/ }),
      );
      expect(await page.locator("iframe").count()).toBe(0);
    },
  },
  { isLoggedIn: true },
);
