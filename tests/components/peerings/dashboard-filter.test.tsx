import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { PeerStatus } from "#contract/entities.ts";
import { provider } from "#mocks/provider.ts";
import { participant } from "#mocks/state.ts";
import { parentOf } from "../../support/parent-of.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { unreachedStatus } from "./unreached-status.ts";

const backend = useBackend();

const up: PeerStatus = {
  ...unreachedStatus,
  known: true,
  bgp_status: "OK",
  wg_status: { ...unreachedStatus.wg_status, state: "Up", issues: [] },
  findings: [],
};
const down: PeerStatus = {
  ...up,
  bgp_status: "Down",
  findings: [{ code: "session-silent", facts: { families: [], addresses: [] } }],
};
const issues: PeerStatus = {
  ...up,
  bgp_status: "Issues",
  findings: [{ code: "routes-refused", facts: { refused: 1, received: 2 } }],
};

const on = (node: string): PeerStatus => ({ ...up, node });

/** Twelve peerings: eight OK, two down, one with issues, one unknown. */
const peerings: readonly PeerStatus[] = [
  ...["ams01", "fra01", "lon01", "mad01", "osl01", "par01", "rom01", "zrh01"].map(on),
  { ...down, node: "fra02" },
  { ...down, node: "nyc01" },
  { ...issues, node: "tyo01" },
  { ...unreachedStatus, node: "zrh02" },
];
const places = new Map([
  ["zrh01", "Zürich, Switzerland"],
  ["fra01", "Frankfurt, Germany"],
  ["fra02", "Frankfurt, Germany"],
]);

let listed: readonly PeerStatus[];

beforeEach(() => {
  listed = peerings;
  backend.state.loggedInAs = participant.asn;
  backend.reply("getPeerStatus", () => Response.json(listed));
  backend.reply("provider", {
    ...provider,
    nodes: peerings.map(({ node }) => ({ name: node, place: places.get(node) ?? "", lat: 0, lon: 0 })),
  });
});

async function openDashboard(search = "") {
  const app = await openApp(`/manager${search}`);
  const panel = within(await screen.findByRole("region", { name: "Current peerings" }));
  await panel.findByText(/^checked/);
  const nodes = () =>
    panel
      .queryAllByRole("link", { name: /^View/ })
      .map(({ textContent }) => textContent.replace(/^View (\w+).*/, "$1"));
  const field = () => panel.getByRole<HTMLInputElement>("searchbox", { name: "Find a peering" });
  const states = () => within(panel.getByRole("group", { name: "State" })).getAllByRole("button");
  const announced = () => panel.getAllByRole("status").map(({ textContent }) => textContent);
  return { ...app, panel, nodes, field, states, announced };
}

describe("the filter of a long list of peerings", () => {
  it("is not there with nine peerings", async () => {
    listed = peerings.slice(0, 9);
    const { nodes, panel } = await openDashboard("?find=ams&state=Down");
    expect(nodes()).toHaveLength(9);
    expect(panel.queryByRole("searchbox")).toBeNull();
  });

  it("is there with ten, and shows them all", async () => {
    listed = peerings.slice(0, 10);
    const { nodes, states, announced } = await openDashboard();
    expect(nodes()).toHaveLength(10);
    expect(states().map(({ textContent }) => textContent)).toEqual([
      "All 10",
      "OK 8",
      "Issues 0",
      "Down 2",
      "Unknown 0",
    ]);
    expect(announced()).toEqual([""]);
  });

  it("finds words in node, hostname or place, and chooses a state among the peerings that match them", async () => {
    const { user, nodes, states, announced } = await openDashboard();
    for (const [words, found] of [
      ["zrh", ["zrh02", "zrh01"]],
      ["FRA02.dn42", ["fra02"]],
      ["zurich", ["zrh01"]],
      ["Zürich", ["zrh01"]],
      ["germany frank", ["fra02", "fra01"]],
    ] as const) {
      await fill({ "Find a peering": words });
      expect([words, nodes()]).toEqual([words, found]);
      expect(announced()).toEqual([`${found.length} of 12 peerings shown`]);
    }
    await user.click(screen.getByRole("button", { name: "Down 1" }));
    expect(nodes()).toEqual(["fra02"]);
    expect(states().map((state) => [state.textContent, state.ariaPressed])).toEqual([
      ["All 2", "false"],
      ["OK 1", "false"],
      ["Issues 0", "false"],
      ["Down 1", "true"],
      ["Unknown 0", "false"],
    ]);
    await fill({ "Find a peering": "" });
    for (const [state, found] of [
      ["Issues 1", "tyo01"],
      ["Unknown 1", "zrh02"],
    ] as const) {
      await user.click(screen.getByRole("button", { name: state }));
      expect(nodes()).toEqual([found]);
    }
  });

  it("writes the filter into the URL after a pause, without a key or an entry in the history", async () => {
    const { user, field, address, router } = await openDashboard();
    const entries = router.history.length;
    await fill({ "Find a peering": "fra " });
    await user.click(screen.getByRole("button", { name: "OK 1" }));
    await waitFor(() => expect(address()).toBe("/manager?find=fra&state=OK"));
    expect(field().value).toBe("fra ");
    await fill({ "Find a peering": "PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=" });
    await waitFor(() => expect(address()).toBe("/manager?state=OK"));
    expect(router.history.length).toBe(entries);
  });

  it("is as the URL says, after a reload and a return to the list, and is cleared by the menu's link", async () => {
    const { user, nodes, field, router } = await openDashboard("?find=fra&state=Down");
    expect(field().value).toBe("fra");
    expect(nodes()).toEqual(["fra02"]);
    await user.click(screen.getByRole("link", { name: /^View fra02/ }));
    await screen.findByRole("heading", { name: "fra02.dn42.example.net" });
    router.history.back();
    const back = await screen.findByRole<HTMLInputElement>("searchbox");
    expect(back.value).toBe("fra");
    const menu = within(screen.getByRole("navigation", { name: "Manager" }));
    await user.click(menu.getByRole("link", { name: "Dashboard" }));
    await waitFor(() => expect(screen.getAllByRole("link", { name: /^View/ })).toHaveLength(12));
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
  });

  it("says that nothing matches, and offers to clear the filter", async () => {
    const { user, nodes, field, address, announced } = await openDashboard("?find=atlantis&state=OK");
    expect(screen.getByText("No peering matches the filter.")).toBeTruthy();
    expect(announced()).toEqual(["0 of 12 peerings shown"]);
    await user.click(screen.getByRole("button", { name: "Clear filter" }));
    expect(nodes()).toHaveLength(12);
    expect(document.activeElement).toBe(field());
    await waitFor(() => expect(address()).toBe("/manager"));
  });

  it("gets the focus with the key /, unless a modifier is pressed or another field has it", async () => {
    const { user, field } = await openDashboard();
    await user.keyboard("{Control>}/{/Control}");
    expect(document.activeElement).not.toBe(field());
    await user.keyboard("/");
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe("");
    await user.keyboard("a/b");
    expect(field().value).toBe("a/b");
  });
});

const head = (name: string) => screen.getByRole("columnheader", { name });
const sorted = () =>
  screen
    .getAllByRole("columnheader")
    .flatMap((each) => (each.ariaSort ? [each.textContent, each.ariaSort] : []));
const rowOf = (node: string) => screen.getByRole("link", { name: `View ${node}.dn42.example.net` });

const well = ["ams01", "fra01", "lon01", "mad01", "osl01", "par01", "rom01", "zrh01"];
const worst = ["fra02", "nyc01", "tyo01", "zrh02"];

describe("the order of the list", () => {
  it("is worst first, until a head or the select changes it, and is in the URL", async () => {
    listed = [...peerings, { ...down, node: "aaa01", deployment: { taskID: "t", kind: "deploy" } }];
    const { user, nodes, address } = await openDashboard();
    expect(nodes()).toEqual([...worst.slice(0, 3), "aaa01", "zrh02", ...well]);
    expect(sorted()).toEqual(["State↑", "ascending"]);
    await user.click(within(head("Node")).getByRole("button"));
    expect(nodes()).toEqual(["aaa01", ...[...well, ...worst].toSorted()]);
    await user.click(within(head("Node")).getByRole("button"));
    expect(nodes().slice(0, 2)).toEqual(["zrh02", "zrh01"]);
    expect(sorted()).toEqual(["Node↓", "descending"]);
    await waitFor(() => expect(address()).toBe("/manager?sort=-node"));
    await user.selectOptions(screen.getByRole("combobox", { name: "Order" }), "Worst first");
    await waitFor(() => expect(nodes()[0]).toBe("fra02"));
    await waitFor(() => expect(address()).toBe("/manager"));
  });

  it("does not change while the pointer or the focus is in the rows", async () => {
    const { user, nodes, router } = await openDashboard();
    const change = async (status: PeerStatus) => {
      listed = listed.map((each) => (each.node === status.node ? status : each));
      await act(() => router.options.context.queryClient.refetchQueries());
    };
    await user.hover(rowOf("ams01"));
    await change({ ...down, node: "zrh01" });
    expect(await screen.findByRole("button", { name: "Down 3" })).toBeTruthy();
    expect(nodes()).toEqual([...worst, ...well]);
    act(() => rowOf("ams01").focus());
    await user.unhover(rowOf("ams01"));
    expect(nodes()).toEqual([...worst, ...well]);
    act(() => screen.getByRole("searchbox").focus());
    expect(nodes()).toEqual(["zrh01", "fra02", "nyc01", "tyo01", "zrh02", ...well.slice(0, -1)]);
    await change({ ...down, node: "ams01" });
    await waitFor(() => expect(nodes()[0]).toBe("ams01"));
  });
});

const fixOf = (node: string) => screen.queryByRole("button", { name: new RegExp(`^How to fix it .${node}`) });

it("open rows stay open where they are while data arrive, and close when nothing is left to say", async () => {
  const { user, panel, nodes, field, router } = await openDashboard();
  const change = async (status: PeerStatus) => {
    listed = listed.map((each) => (each.node === status.node ? status : each));
    await act(() => router.options.context.queryClient.refetchQueries());
  };
  const opened = () => panel.queryAllByRole("button", { expanded: true });
  const [first, second] = [fixOf("fra02"), fixOf("nyc01")];
  if (!first || !second) throw new Error("the rows offer no fix");
  await user.click(first);
  await user.click(second);
  expect(opened()).toEqual([first, second]);
  // The reader goes to the router's terminal.
  await user.unhover(second);
  await user.click(field());
  await change({ ...down, node: "ams01" });
  await change({
    ...down,
    node: "nyc01",
    findings: [{ code: "session-refused", facts: { families: [], addresses: [] } }],
  });
  expect(await screen.findByText("Your router refuses BGP connections")).toBeTruthy();
  expect(opened()).toEqual([first, second]);
  expect(nodes()).toEqual([...worst, ...well]);
  await fill({ "Find a peering": "nyc" });
  expect([nodes(), opened()]).toEqual([["nyc01"], [fixOf("nyc01")]]);
  await fill({ "Find a peering": "" });
  await change(on("fra02"));
  await waitFor(() => expect(fixOf("fra02")).toBeNull());
  await change({ ...down, node: "fra02" });
  expect((await screen.findByRole("button", { name: /^How to fix it .fra02/ })).ariaExpanded).toBe("false");
  expect(opened()).toEqual([fixOf("nyc01")]);
  expect(nodes()).toEqual([...worst, ...well]);
  await change(on("nyc01"));
  await waitFor(() => expect(nodes().slice(0, 3)).toEqual(["ams01", "fra02", "tyo01"]));
});

it("the summary links to the peerings that it does not name, and does not call those that are awaited", async () => {
  const awaited: PeerStatus = { ...down, node: "osl01", findings: [{ code: "session-awaited", facts: {} }] };
  listed = [
    ...peerings.filter(({ node }) => node !== "osl01"),
    { ...down, node: "osl02" },
    { ...down, node: "osl03" },
    awaited,
  ];
  const { user, nodes } = await openDashboard();
  const summary = parentOf(screen.getByText(/^8 of 14 peerings are up/));
  expect(summary.textContent).toBe(
    "8 of 14 peerings are up, one of them with issues; 4 are down, one is waiting for your router, one is unknown. 5 need you: " +
      "fra02.dn42.example.net, no BGP reply from your router; nyc01.dn42.example.net, no BGP reply from your router; " +
      "osl02.dn42.example.net, no BGP reply from your router; and 1 more down, 1 with issues",
  );
  await user.click(within(summary).getByRole("link", { name: "1 with issues" }));
  await waitFor(() => expect(nodes()).toEqual(["tyo01"]));
});
