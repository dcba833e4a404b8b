import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { unreachedStatus } from "./unreached-status.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openDashboard() {
  backend.state.loggedInAs = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { name: "Dashboard" });
  return app;
}

describe("the dashboard", () => {
  it("lists every peering with its node, its status as colour and word, its path and its figures", async () => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" }, "Issues");
    addPeering(backend.state, { node: "ny01" }, "Down");
    await openDashboard();
    const rows = within(await screen.findByRole("region", { name: "Current peerings" })).getAllByRole(
      "listitem",
    );
    const names = "EndpointTunnelSessionRoutes";
    expect(rows.map((row) => row.textContent.replace(/\d+:\d+( [AP]M)?/, "12:00"))).toEqual([
      `node: syd01.dn42.example.netSydney, AustraliaOKThe session is Established${names}Up 100% of the last 24 hours` +
        "Latency: 12.4 msRoutes accepted: 2 of 218.42 MiB received, 21.07 MiB transmittedView syd01.dn42.example.net",
      `node: de01.dn42.example.netFrankfurt, GermanyIssues5999 of your 6001 routes are refused${names}` +
        "Up 95.83% of the last 24 hours, down once at 12:00Latency: 12.4 msRoutes accepted: 2 of 6001" +
        "3.10 MiB received, 4.88 MiB transmittedView de01.dn42.example.net",
      `node: ny01.dn42.example.netNew York, United StatesDownNo handshake with your router yet${names}` +
        "Up 87.5% of the last 24 hours, down once at 12:00Latency: –Routes accepted: ––View ny01.dn42.example.net",
    ]);
    expect(screen.getAllByRole("img", { name: /^Path: / }).map((path) => path.ariaLabel)).toEqual([
      "Path: Endpoint good, Tunnel good, Session good, Routes good",
      "Path: Endpoint good, Tunnel good, Session good, Routes degraded",
      "Path: Endpoint good, Tunnel broken, Session not reached, Routes not reached",
    ]);
    expect(["OK", "Issues", "Down"].map((word) => screen.getByText(word).classList[0])).toEqual([
      "good",
      "issues",
      "down",
    ]);
    // It says first how many peerings are up, and which need the participant.
    const summary = await screen.findByText(/^2 of 3 peerings are up, one with issues\./);
    expect(summary.textContent).toBe(
      "2 of 3 peerings are up, one with issues. 2 need you: ny01, no handshake with your router yet; de01, 5999 of your 6001 routes are refused",
    );
    const link = within(summary).getByRole("link", { name: /^ny01/ });
    expect(link.getAttribute("href")).toBe("/manager?node=ny01");
  });

  it("says of an only peering that it needs the participant", async () => {
    addPeering(backend.state, { node: "de01" }, "Issues");
    await openDashboard();
    expect((await screen.findByText(/^Your peering is up, with issues\./)).textContent).toBe(
      "Your peering is up, with issues. It needs you: de01, 5999 of your 6001 routes are refused",
    );
  });

  it("shows a state that could not be read as unknown, in the colour of a peering that is down", async () => {
    backend.reply("getPeerStatus", [unreachedStatus]);
    await openDashboard();
    const panel = within(await screen.findByRole("region", { name: "Current peerings" }));
    const row = await panel.findByRole("listitem");
    expect(row.textContent).toBe(
      "node: syd01.dn42.example.netSydney, AustraliaUnknownThe node does not respondEndpointTunnelSessionRoutes" +
        "Latency: –Routes accepted: ––View syd01.dn42.example.net",
    );
    expect(within(row).getByText("Unknown").classList[0]).toBe("down");
  });
});
