import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { submitUpdate } from "../../../src/mocks/network.ts";
import { addPeering, sampleUpdate } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openDashboard() {
  backend.state().signedIn = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { name: "Dashboard" });
  return app;
}

describe("the dashboard", () => {
  it("says how to get started where there are no peerings", async () => {
    await openDashboard();
    expect(
      await screen.findByText(
        "You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get started!",
      ),
    ).toBeTruthy();
    expect(screen.getByRole("link", { name: "Create new peering" }).getAttribute("href")).toBe(
      "/manager/updatepeer/new",
    );
  });

  it("lists every peering with its node, its health in colour and word, and the first reason", async () => {
    addPeering(backend.state());
    addPeering(backend.state(), { node: "de01" }, "Issues");
    addPeering(backend.state(), { node: "ny01" }, "Down");
    await openDashboard();
    const rows = within(await screen.findByRole("region", { name: "Current peerings" })).getAllByRole(
      "listitem",
    );
    expect(rows.map((row) => row.textContent)).toEqual([
      "node: syd01.dn42.example.netSydney, AustraliaOKBGP 1 of 1 up12.4 ms18.42 MiB received, 21.07 MiB transmittedView syd01.dn42.example.net",
      "node: de01.dn42.example.netFrankfurt, GermanyIssuesBGP 1 of 1 up12.4 ms3.10 MiB received, 4.88 MiB transmitted2 routes received from you are filtered: they have no valid ROA. Add a route object for them.View de01.dn42.example.net",
      "node: ny01.dn42.example.netNew York, United StatesDownBGP 0 of 1 upNo handshake in the last 3 minutes: no packet arrives from your endpoint.View ny01.dn42.example.net",
    ]);
    expect(["OK", "Issues", "Down"].map((word) => screen.getByText(word).classList[0])).toEqual([
      "good",
      "issues",
      "down",
    ]);
  });

  it("leads to a peering's overview, and back by the arrow", async () => {
    addPeering(backend.state());
    const { user, address } = await openDashboard();
    await user.click(await screen.findByRole("link", { name: "View syd01.dn42.example.net" }));
    await screen.findByRole("heading", { name: "syd01.dn42.example.net" });
    expect(address()).toBe("/manager?node=syd01");
    await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Dashboard" }));
    await screen.findByRole("heading", { name: "Dashboard" });
    expect(address()).toBe("/manager");
  });

  it("shows a loader while it waits", async () => {
    backend.state().signedIn = participant.asn;
    backend.state().hanging.push("getPeerStatus");
    const { user } = await openApp("/");
    await user.click(await screen.findByRole("link", { name: "Go to Peering Manager" }));
    expect(await screen.findByText("Loading peerings…", {}, { timeout: 10_000 })).toBeTruthy();
  });

  it("shows a deployment under way, and leads to it", async () => {
    const { taskID } = submitUpdate(backend.state(), participant.asn, sampleUpdate);
    await openDashboard();
    expect((await screen.findByRole("link", { name: "Deploying…" })).getAttribute("href")).toBe(
      `/manager/updatepeer/edit?node=syd01&step=awaitingDeployment&task=${taskID}`,
    );
    expect(screen.queryByText("OK")).toBeNull();
  });

  it("tells a failure quietly, and tries again when asked", async () => {
    backend.state().failing.push("getPeerStatus");
    const { user } = await openDashboard();
    const retry = await screen.findByRole("button", { name: "Retry" }, { timeout: 5_000 });
    expect(screen.getByText(/^The state of your peerings could not be loaded\./).textContent).toBe(
      "The state of your peerings could not be loaded. The mock fails on demand.",
    );
    backend.state().failing.length = 0;
    await user.click(retry);
    expect(await screen.findByText(/^You don't appear to have any peerings yet/)).toBeTruthy();
  });
});
