import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { testRows } from "./rows.ts";
import { expectShown } from "./screen.ts";
import { nodeStatusRows } from "../table/node-status.ts";

testRows(
  nodeStatusRows,
  {
    "node-panels-drawn": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager?view=nodes");
      for (const title of ["Node CPU usage", "Node memory usage", `syd01 - iface AS${participant.asn}`]) {
        const panel = page.getByRole("region", { name: title, exact: true });
        await expectShown(panel.getByText("last 3 hours", { exact: true }), panel.getByRole("img"));
      }
      expect(await page.locator("iframe").count()).toBe(0);
    },
  },
  { isLoggedIn: true },
);
