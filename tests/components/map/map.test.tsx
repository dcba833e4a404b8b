/** The texts of the map; jsdom has no layout to draw in. */
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { NetworkSummary, NodeSummary } from "#contract/history.ts";
import { encodeShares } from "#domain/plot.ts";
import { provider } from "#mocks/provider.ts";
import { waitFor } from "../../support/wait-for.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

/** Up in every half hour, 99.98% of 90 days. */
const observed = (node: string, now: NodeSummary["now"]): NodeSummary => ({
  node,
  now,
  up: encodeShares(Array.from({ length: 48 }, () => 1)),
  uptime: 0.9998,
  cpu: null,
  peerings: null,
  capacity: null,
});

const summary: NetworkSummary = {
  from: 0,
  nodes: [
    observed("syd01", "OK"),
    observed("per01", "Issues"),
    observed("sin01", null),
    { ...observed("de01", "OK"), uptime: null },
    observed("ny01", "OK"),
    observed("za01", "Down"),
  ],
  links: [{ from: "syd01", to: "per01", latency: 47.1 }],
};

async function nodeRows() {
  const region = within(await screen.findByRole("region", { name: "Nodes and links" }));
  return region.getAllByRole("button").map((button) => button.closest("li")?.textContent);
}

describe("the list beside the map", () => {
  it("names every node with its place, its state, its links and their states in words, and chooses one", async () => {
    backend.reply("getNetworkSummary", summary);
    const { user, address } = await openApp("/map");
    await screen.findByRole("heading", { name: "Map" });
    // The list appears together with the links.
    expect(screen.queryAllByText("Loading links…")).toEqual([]);
    await screen.findByText("4 of 6 nodes are up. 4 of 5 links are up.");
    expect(backend.sent("mapVPNStatus")).toHaveLength(1);
    const day = "Up 100% of the last 24 hours";
    const uptime = "99.98% responding in 90 days";
    expect(await nodeRows()).toEqual([
      `syd01.dn42.example.net Sydney, AustraliaOK${day}${uptime}to per01.dn42.example.net 47 ms Up`,
      `per01.dn42.example.net Perth, AustraliaIssues${day}${uptime}to syd01.dn42.example.net 47 ms Upto sin01.dn42.example.net Up`,
      `sin01.dn42.example.net SingaporeUnknown${day}${uptime}to per01.dn42.example.net Upto de01.dn42.example.net Up`,
      `de01.dn42.example.net Frankfurt, GermanyOK${day}to sin01.dn42.example.net Upto ny01.dn42.example.net Upto za01.dn42.example.net Down`,
      `ny01.dn42.example.net New York, United StatesOK${day}${uptime}to de01.dn42.example.net Up`,
      `za01.dn42.example.net Johannesburg, South AfricaUnknown${day}${uptime}to de01.dn42.example.net Down`,
    ]);
    expect(document.title).toBe("Map · Example Transit");
    expect(screen.getAllByText("Up")[0]?.classList[0]).toBe("good");
    expect(screen.getAllByText("Down")[0]?.classList[0]).toBe("down");
    // A node is chosen in the address, until it is chosen again.
    const button = screen.getByRole("button", { name: /^de01\b.*Frankfurt/ });
    for (const [shown, expanded] of [
      ["/map?node=de01", "true"],
      ["/map", "false"],
    ] as const) {
      await user.click(button);
      await waitFor(() => expect([address(), button.ariaExpanded]).toEqual([shown, expanded]));
    }
  });

  it("says which node does not forward packets, and which links are blocked or unknown", async () => {
    const problem = "The node does not forward packets at the moment.";
    const nodes = summary.nodes.map((each) => (each.node === "per01" ? { ...each, problem } : each));
    backend.reply("getNetworkSummary", { ...summary, nodes });
    backend.reply("mapVPNStatus", [
      { from: "syd01", to: "per01", status: "blocked" },
      { from: "syd01", to: "sin01", status: "unknown" },
      { from: "syd01", to: "de01", status: "up" },
    ]);
    await openApp("/map");
    await screen.findByText("4 of 6 nodes are up. 1 of 3 links are up.");
    const [syd01, per01] = await nodeRows();
    expect(syd01).toContain("to per01.dn42.example.net 47 ms Blockedto sin01.dn42.example.net Unknownto");
    expect(per01).toContain(`99.98% responding in 90 days${problem}to syd01`);
    expect(screen.getAllByText("Blocked")[0]?.classList[0]).toBe("down");
  });

  it("has a node without coordinates, which the map cannot draw", async () => {
    backend.reply("getNetworkSummary", summary);
    const nodes = provider.nodes.map((node) =>
      node.name === "per01" ? { ...node, lat: null, lon: null } : node,
    );
    backend.reply("provider", { ...provider, nodes });
    await openApp("/map?node=per01");
    await screen.findByText("4 of 6 nodes are up. 4 of 5 links are up.");
    expect((await nodeRows())[1]).toContain("per01.dn42.example.net Perth, AustraliaIssues");
    const [placed, unplaced] = ["syd01", "per01"].map((name) =>
      screen.getByRole<HTMLButtonElement>("button", { name: new RegExp(`^${name}\\b`) }),
    );
    expect([placed?.disabled, unplaced?.disabled]).toEqual([false, true]);
  });

  it("leaves out the states of nodes that the server does not observe", async () => {
    backend.refuse("getNetworkSummary", 404, { message: "No such call." });
    await openApp("/map");
    await screen.findAllByText("Up");
    await waitFor(async () =>
      expect((await nodeRows())[0]).toBe(
        "syd01.dn42.example.net Sydney, Australiato per01.dn42.example.net Up",
      ),
    );
    expect(screen.getByText("6 nodes. 4 of 5 links are up.")).toBeTruthy();
    expect(screen.queryByText("Node OK")).toBeNull();
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  });
});

describe("nodes whose state cannot be loaded", () => {
  it("are shown as unknown, and can be requested again", async () => {
    backend.refuse("getNetworkSummary", 400, { message: "Not now." });
    const { user } = await openApp("/map");
    const retry = await screen.findByRole("button", { name: "Retry" });
    expect(screen.getByText(/^The states of the nodes/).textContent).toBe(
      "The states of the nodes could not be loaded. Not now.",
    );
    expect((await nodeRows())[0]).toContain("Sydney, AustraliaUnknown");
    backend.reply("getNetworkSummary", summary);
    await user.click(retry);
    await screen.findByText("4 of 6 nodes are up. 4 of 5 links are up.");
    expect(screen.queryByText(/^The states of the nodes/)).toBeNull();
  });

  it("are not unknown while they are loading, and shown before the states of their links", async () => {
    backend.state.hanging.push("getNetworkSummary", "mapVPNStatus");
    await openApp("/map");
    expect(await screen.findAllByText("Loading links…")).toHaveLength(6);
    expect(screen.getAllByText("Unknown")).toHaveLength(1); // the legend
    expect(screen.queryByText(/No links|could not be/)).toBeNull();
  });
});

describe("links whose state cannot be loaded", () => {
  it("are shown as unknown, and can be requested again", async () => {
    backend.cutOff("mapVPNStatus");
    const { user } = await openApp("/map");
    const retry = await screen.findByRole("button", { name: "Retry" });
    expect(screen.getByText(/^The links could not be/).textContent).toBe(
      "The links could not be loaded. The server could not be reached. Check your connection and try again.",
    );
    expect(screen.getAllByText("Links unknown")).toHaveLength(6);
    backend.reply("mapVPNStatus", [{ from: "syd01", to: "per01", status: "init" }]);
    await user.click(retry);
    expect(await screen.findAllByText("No links")).toHaveLength(4);
    expect(screen.getAllByText("Init").map(({ classList }) => classList[0])).toEqual(["down", "down"]);
    expect(screen.queryByText(/^The links could not be/)).toBeNull();
  });

  it("keep the last known state, with its age", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      await openApp("/map");
      await screen.findAllByText("Up");
      backend.state.failing.push("mapVPNStatus");
      await vi.advanceTimersByTimeAsync(95_000);
      expect((await screen.findByText(/^The links could not be/)).textContent).toBe(
        "The links could not be refreshed. The map shows them as of 1 min ago. The mock fails on demand.",
      );
      expect(screen.getByText("4 of 5 links are up, last known")).toBeTruthy();
      expect(screen.getAllByText("Up, last known")).toHaveLength(8);
      expect(screen.getAllByText("Down, last known")).toHaveLength(2);
      backend.state.failing.length = 0;
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await screen.findAllByText("Up")).toHaveLength(8);
    } finally {
      vi.useRealTimers();
    }
  });
});
