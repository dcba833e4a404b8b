import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { submitUpdate } from "../../../src/mocks/deployments.ts";
import { addPeering, sampleUpdate } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { unreachedStatus } from "./unreached-status.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openDashboard() {
  backend.state().loggedInAs = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { name: "Dashboard" });
  return app;
}

describe("the dashboard", () => {
  it("lists every peering with its node, its status as colour and word, and the first issue", async () => {
    addPeering(backend.state());
    addPeering(backend.state(), { node: "de01" }, "Issues");
    addPeering(backend.state(), { node: "ny01" }, "Down");
    await openDashboard();
    const rows = within(await screen.findByRole("region", { name: "Current peerings" })).getAllByRole(
      "listitem",
    );
    expect(rows.map((row) => row.textContent)).toEqual([
      "node: syd01.dn42.example.netSydney, AustraliaOKBGP 1 of 1 up12.4 ms18.42 MiB received, 21.07 MiB transmittedView syd01.dn42.example.net",
      "node: de01.dn42.example.netFrankfurt, GermanyIssuesBGP 1 of 1 up12.4 ms3.10 MiB received, 4.88 MiB transmitted5999 of your 6001 routes are refused. Show refused routesView de01.dn42.example.net",
      "node: ny01.dn42.example.netNew York, United StatesDownBGP 0 of 1 upNo handshake in the last 3 minutes: no packet arrives from your endpoint.View ny01.dn42.example.net",
    ]);
    expect(["OK", "Issues", "Down"].map((word) => screen.getByText(word).classList[0])).toEqual([
      "good",
      "issues",
      "down",
    ]);
  });
  it("leads from refused routes to their list", async () => {
    addPeering(backend.state(), { node: "de01" }, "Issues");
    await openDashboard();
    const link = await screen.findByRole("link", { name: "Show refused routes" });
    expect(link.getAttribute("href")).toBe("/manager?node=de01&tab=troubleshooting&routes=refused");
  });

  it("shows a state that could not be read as unknown, in the colour of a peering that is down", async () => {
    backend.reply("getPeerStatus", () => Response.json([unreachedStatus]));
    await openDashboard();
    const panel = within(await screen.findByRole("region", { name: "Current peerings" }));
    const row = await panel.findByRole("listitem");
    expect(row.textContent).toBe(
      "node: syd01.dn42.example.netSydney, AustraliaUnknownsyd01.dn42.example.net cannot be reached, so its state is not known." +
        "View syd01.dn42.example.net",
    );
    expect(within(row).getByText("Unknown").classList[0]).toBe("down");
  });

  it("shows a deployment under way, and leads to it", async () => {
    const { taskID } = submitUpdate(backend.state(), participant.asn, sampleUpdate);
    await openDashboard();
    expect(
      (await screen.findByRole("link", { name: "Deploying… syd01.dn42.example.net" })).getAttribute("href"),
    ).toBe(`/manager/updatepeer/edit?node=syd01&step=awaitingDeployment&task=${taskID}`);
  });
});
