import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { PeerStatus } from "../../../src/contract/entities.ts";
import type { Health } from "../../../src/domain/health.ts";
import { addPeering } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openOverview(health: Health, search = "node=syd01") {
  addPeering(backend.state(), {}, health);
  backend.state().loggedInAs = participant.asn;
  const app = await openApp(`/manager?${search}`);
  await screen.findByRole("heading", { name: "syd01.dn42.example.net" });
  return app;
}

/** Labels and values of a panel's facts. */
async function factsOf(panel: string) {
  const region = within(await screen.findByRole("region", { name: panel }));
  const labels = await region.findAllByRole("term");
  const values = region.getAllByRole("definition");
  return labels.map((label, index) => [label.textContent, values[index]?.textContent]);
}

describe("the status tab", () => {
  it("shows node, tunnel and BGP of a peering that works", async () => {
    await openOverview("OK");
    expect(await factsOf("Node")).toEqual([
      ["Status", "OK"],
      ["Hostname", "syd01.dn42.example.net"],
      ["Uptime", "48 days, 17:22"],
      ["Load", "0.12, 0.08, 0.05"],
    ]);
    expect(await factsOf("Wireguard")).toEqual([
      ["Status", "OK"],
      ["Tunnel status", "Up ✅"],
      ["Last handshake", "41 s ago"],
      ["Traffic at node", "18.42 MiB received, 21.07 MiB transmitted"],
      ["Latency", "12.4 ms"],
    ]);
    expect(await factsOf("BGP")).toEqual([
      ["Status", "OK"],
      ["Session state", "Established ✅"],
      ["IPv4 and IPv6", "Established"],
    ]);
    expect(screen.queryByRole("heading", { name: "Issues" })).toBeNull();
  });

  it("says why a peering is down", async () => {
    await openOverview("Down");
    expect(await factsOf("Wireguard")).toContainEqual(["Tunnel status", "Down ❌"]);
    expect(await factsOf("BGP")).toEqual([
      ["Status", "Down"],
      ["Session state", "Down ❌"],
      ["IPv4 and IPv6", "ActiveSocket: No route to host"],
    ]);
    expect(
      screen.getByText("No handshake in the last 3 minutes: no packet arrives from your endpoint."),
    ).toBeTruthy();
    expect(screen.getByText("BGP is waiting for the tunnel. Fix the tunnel first.")).toBeTruthy();
  });

  it("shows an unknown state as unknown, not as down", async () => {
    const unreached: PeerStatus = {
      node: "syd01",
      known: false,
      bgp_status: "Down",
      wg_status: { state: "Down", issues: ["syd01 cannot be reached."], tx: "0 B", rx: "0 B", handshake: "" },
      latency: "",
      sessions: [],
      bgp_issues: [],
      deployment: null,
    };
    backend.reply("getPeerStatus", () => Response.json([unreached]));
    await openOverview("Down");
    expect(await screen.findByText("syd01 cannot be reached.")).toBeTruthy();
    expect(await factsOf("Wireguard")).toEqual([
      ["Status", "Unknown"],
      ["Tunnel status", "Unknown"],
      ["Last handshake", "unknown"],
      ["Traffic at node", "unknown"],
      ["Latency", "unknown"],
    ]);
    expect(await factsOf("BGP")).toEqual([
      ["Status", "Unknown"],
      ["Session state", "Unknown"],
    ]);
    expect(screen.getByText("No session data. See the node and tunnel issues.")).toBeTruthy();
  });
  it.each([
    ["OK", "OKSydney, Australia"],
    ["Issues", "IssuesSydney, Australia"],
    ["Down", "DownSydney, Australia"],
  ] as const)("says on every tab where the node is and that the peering is %s", async (health, summary) => {
    await openOverview(health, "node=syd01&tab=troubleshooting");
    const heading = screen.getByRole("heading", { name: "syd01.dn42.example.net" });
    expect(heading.parentElement?.nextElementSibling?.textContent).toBe(summary);
  });

  it("keeps its other tabs if the status cannot be loaded", async () => {
    backend.refuse("getPeerStatus", 403, { message: "Not today." });
    const { user } = await openOverview("OK");
    await screen.findByText("The status of this peering could not be loaded. Not today.");
    await user.click(screen.getByRole("tab", { name: "Edit Peering" }));
    expect(await screen.findByRole("region", { name: "Your side" })).toBeTruthy();
  });
});

describe("the edit tab", () => {
  const address = "node=syd01&tab=edit";
  it("shows a rejected deletion in the dialog", async () => {
    const { user } = await openOverview("OK", address);
    backend.refuse("deletePeer", 409, { message: "Another deployment of this peering is under way." });
    await user.click(await screen.findByRole("button", { name: "Delete peering" }));
    await user.click(await screen.findByRole("button", { name: "Yes" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Failed to delete the peering. Please try again or contact support. Another deployment of this peering is under way.",
    );
  });
});
