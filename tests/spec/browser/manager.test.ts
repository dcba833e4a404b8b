import type { Page } from "playwright";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { testRows } from "./rows.ts";
import { heading, expectShown } from "./screen.ts";
import { managerRows } from "../table/manager.ts";

const peerings = (page: Page) => page.getByRole("region", { name: "Current peerings" });

async function openManager(page: Page): Promise<void> {
  await page.goto("/manager");
  await expectShown(heading(page, "Example Transit Peering Manager"), peerings(page));
}

testRows(
  managerRows,
  {
    "dashboard-row": async ({ page, backend }) => {
      addPeering(backend.state);
      await openManager(page);
      await peerings(page).getByRole("listitem").waitFor();
      const [words = ""] = await peerings(page).getByRole("listitem").allInnerTexts();
      expect(words).toMatch(/^node: syd01\.dn42\.example\.net\s/);
    },
  },
  { isLoggedIn: true },
);
