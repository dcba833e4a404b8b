import type { Page } from "playwright";
import { expect } from "vitest";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import type { Backend } from "./answering-server.ts";
import { type RowTest, testRows } from "./rows.ts";
import { heading, seen } from "./seeing.ts";
import { detailedInfoRows } from "./table/detailed-info.ts";

async function openDetails(page: Page, backend: Backend): Promise<void> {
  addPeering(backend.state);
  const other = { wg_details: { output: "other tunnel" }, bgp_details: { output: "other session" } };
  backend.reply("getPeerDetails", {
    de01: other,
    syd01: { wg_details: { output: "interface: x\n  peer: y" }, bgp_details: { output: "BIRD 2\n\tup" } },
  });
  await page.goto("/manager?node=syd01");
  await page.getByRole("tab", { name: "Detailed Info", exact: true }).click();
  await seen(heading(page, "Wireguard"), heading(page, "BGP"));
}

const prints =
  (name: string, output: string): RowTest =>
  async ({ page, backend }) => {
    await openDetails(page, backend);
    const raw = page.getByRole("region", { name, exact: true }).locator("pre");
    await seen(raw);
    expect(await raw.textContent()).toBe(output);
  };

testRows(
  detailedInfoRows,
  {
    "overview-tab-details": async ({ page, backend }) => {
      await openDetails(page, backend);
      await seen(page.getByRole("tab", { name: "Detailed Info", exact: true, selected: true }));
    },
    "details-wireguard": prints("Wireguard", "interface: x\n  peer: y"),
    "details-bgp": prints("BGP", "BIRD 2\n\tup"),
    "call-details": async ({ page, backend }) => {
      await openDetails(page, backend);
      const [call] = backend.received("getPeerDetails");
      expect([call?.method, call?.path, call?.body]).toEqual([
        "POST",
        "/api/getPeerDetails",
        { username: participant.asn, node: "syd01" },
      ]);
    },
    "peer-details-keyed": async ({ page, backend }) => {
      await openDetails(page, backend);
      expect(await page.getByText("other").count()).toBe(0);
    },
  },
  { signedIn: true },
);
