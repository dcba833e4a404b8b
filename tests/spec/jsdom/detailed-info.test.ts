import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type RowTest, testRows } from "./rows.ts";
import { detailedInfoRows } from "../table/detailed-info.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import {
  bySelector,
  click,
  expectShown,
  heading,
  readAttribute,
  readTexts,
  region,
  tab,
  text,
} from "./screen.ts";

async function openDetails(app: AppTab, backend: Backend): Promise<void> {
  addPeering(backend.state);
  const other = { wg_details: { output: "other tunnel" }, bgp_details: { output: "other session" } };
  backend.reply("getPeerDetails", {
    de01: other,
    syd01: { wg_details: { output: "interface: x\n  peer: y" }, bgp_details: { output: "BIRD 2\n\tup" } },
  });
  app.open("/manager?node=syd01");
  await click(tab("Detailed Info"));
  await expectShown(heading("Wireguard"), heading("BGP"));
}

const prints =
  (name: string, output: string): RowTest =>
  async ({ app, backend }) => {
    await openDetails(app, backend);
    const raw = bySelector("pre", region(name));
    await expectShown(raw);
    expect(readTexts(raw)).toEqual([output]);
  };

testRows(
  detailedInfoRows,
  {
    "overview-tab-details": async ({ app, backend }) => {
      await openDetails(app, backend);
      expect(await readAttribute(tab("Detailed Info"), "aria-selected")).toBe("true");
    },
    "details-wireguard": prints("Wireguard", "interface: x\n  peer: y"),
    "details-bgp": prints("BGP", "BIRD 2\n\tup"),
    "call-details": async ({ app, backend }) => {
      await openDetails(app, backend);
      const [call] = backend.received("getPeerDetails");
      expect([call?.method, call?.path, call?.body]).toEqual([
        "POST",
        "/api/getPeerDetails",
        { username: participant.asn, node: "syd01" },
      ]);
    },
    "peer-details-keyed": async ({ app, backend }) => {
      await openDetails(app, backend);
      expect(text(/other/)()).toEqual([]);
    },
  },
  { isLoggedIn: true },
);
