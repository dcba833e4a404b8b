import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openLoading() {
  backend.state.loggedInAs = participant.asn;
  backend.state.hanging.push("getPeerStatus");
  await openApp("/manager");
  const panel = await screen.findByRole("region", { name: "Current peerings" });
  await within(panel).findByText("Loading peerings…");
  const rows = () => Array.from(panel.querySelectorAll("li"), ({ textContent }) => textContent);
  return { panel, rows };
}

describe("the dashboard while it loads", () => {
  it("has three rows while it is not known which peerings there are", async () => {
    backend.state.hanging.push("getPeeredNodes");
    const { rows } = await openLoading();
    expect(rows()).toEqual(["", "", ""]);
  });

  it("has a row for each peering with its name, and only the loader's text for screen readers", async () => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" });
    const { panel, rows } = await openLoading();
    await waitFor(() =>
      expect(rows()).toEqual([
        "node: syd01.dn42.example.netSydney, Australia",
        "node: de01.dn42.example.netFrankfurt, Germany",
      ]),
    );
    expect(within(panel).queryAllByRole("listitem")).toEqual([]);
    const shown = panel.cloneNode(true) as HTMLElement;
    for (const hidden of shown.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    expect(shown.textContent).toBe("Current peeringsLoading peerings…");
  });
});
