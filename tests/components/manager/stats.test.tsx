import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { fetchedAtHeader } from "#contract/app/worker-messages.ts";
import type { Provider } from "#contract/entities.ts";
import type { NodeSeries } from "#contract/call-tables/sample-calls.ts";
import { nodeHistories, nodeSeriesAt } from "#mocks/observations.ts";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "./open-view.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();
const minuteMs = 60_000;

const openNodes = (search = "") => openView(backend, `/manager?view=nodes${search}`, "Node Status");
const openStats = () => openView(backend, "/manager?view=stats", "Stats");
const panels = () =>
  within(screen.getByRole("main"))
    .getAllByRole("region")
    .map((panel) => within(panel).getByRole("heading", { level: 3 }).textContent);
const rowsOf = async (caption: string) =>
  within(await screen.findByRole("table", { name: caption }))
    .getAllByRole("row")
    .map((row) => Array.from(row.children, (cell) => cell.textContent));

const frames = () =>
  screen
    .getAllByTitle<HTMLIFrameElement>(/./)
    .filter((element) => element instanceof HTMLIFrameElement)
    .map((frame) => [frame.title, frame.getAttribute("src"), frame.getAttribute("sandbox")]);
const chosen = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Node" }).value;

function dashboards(templates: Partial<Provider["dashboards"]>): void {
  backend.reply("provider", { ...provider, dashboards: { ...provider.dashboards, ...templates } });
}

/** Samples of syd01 alone, so many minutes ago. */
function samplesOfSydney(
  ...minutesAgo: readonly (readonly [minutes: number, cpuPercent: number | null])[]
): void {
  const now = Date.now();
  const valuesOf = (value: number) =>
    minutesAgo.map(([, cpuPercent]) => (cpuPercent === null ? null : value));
  const none = { cpu: [], memory: [], ipv4: [], ipv6: [] };
  const ofSydney = {
    cpu: minutesAgo.map(([, cpuPercent]) => cpuPercent),
    memory: valuesOf(30),
    ipv4: valuesOf(1181),
    ipv6: valuesOf(1009),
  };
  const answer: NodeSeries = {
    times: minutesAgo.map(([minutes]) => now - minutes * minuteMs),
    nodes: provider.nodes.map(({ name: node }) => ({ node, ...(node === "syd01" ? ofSydney : none) })),
  };
  backend.reply("getNodeSeries", answer);
}

describe("Node Status", () => {
  it("has CPU and memory, and the interface of every peered node", async () => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" });
    await openNodes();
    await screen.findByText(/^Last sample: .+ ago$/);
    expect((await screen.findByText(/^za01\.dn42\.example\.net does not respond\./)).textContent).toMatch(
      /^za01\.dn42\.example\.net does not respond\. 1 has issues, 1 was not checked\. CPU usage is \d+\.\d to \d+\.\d%, memory usage 30\.0 to 34\.0%\.$/,
    );
    expect(panels()).toEqual([
      "Node CPU usage",
      "Node memory usage",
      "syd01 - iface AS4242420001",
      "de01 - iface AS4242420001",
    ]);
    expect((await rowsOf("Node memory usage, last 3 hours")).slice(0, 3)).toEqual([
      ["Node", "Latest", "Range"],
      ["syd01.dn42.example.net", "30.0%", "30.0%"],
      ["per01.dn42.example.net", "31.0%", "31.0%"],
    ]);
    expect((await rowsOf("Node CPU usage, last 3 hours")).at(-1)).toEqual([
      "za01.dn42.example.net",
      "no response",
      "–",
    ]);
    const traffic = await rowsOf("Traffic, syd01 - iface AS4242420001, last 3 hours");
    expect(traffic.map(([name]) => name)).toEqual(["Direction", "Received from you", "Sent to you"]);
    expect(traffic.slice(1).map(([, ...values]) => values)).toEqual(
      Array.from({ length: 2 }, () => [
        expect.stringMatching(/^\d[\d.]* [kM]?bit\/s$/),
        expect.stringMatching(/^\d[\d.]* to \d[\d.]* [kM]?bit\/s$/),
      ]),
    );
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("says that there is no data yet, that no node responded, and then the latest, lowest and highest values", async () => {
    samplesOfSydney();
    const { queryClient } = await openNodes();
    await screen.findByText("Last sample: none yet");
    expect(screen.getByText("Nothing was measured in the last 3 hours.")).toBeTruthy();
    expect(screen.getAllByText("No data yet. The server checks every node once a minute.")).toHaveLength(2);
    expect(
      parentOf(screen.getByText(/^The traffic of your tunnels is shown here once you have a peering\./))
        .textContent,
    ).toBe("The traffic of your tunnels is shown here once you have a peering. Create a peering");

    samplesOfSydney([2, null], [1, null]);
    const refetch = () => act(() => queryClient.invalidateQueries({ queryKey: ["node-series"] }));
    await refetch();
    expect(await screen.findAllByText("No node responded in the last 3 hours.")).toHaveLength(2);

    samplesOfSydney([5, 7], [4, 11.24], [3, 4], [2, null]);
    await refetch();
    expect((await screen.findAllByText("Last sample: 2 min ago")).length).toBe(1);
    expect((await rowsOf("Node CPU usage, last 3 hours")).slice(1, 3)).toEqual([
      ["syd01.dn42.example.net", "no response", "4.0 to 11.2%"],
      ["per01.dn42.example.net", "no data", "–"],
    ]);
  });

  it("keeps its layout while it loads", async () => {
    addPeering(backend.state);
    backend.state.hanging.push("getNodeSeries");
    const { router } = await openView(backend, "/manager?view=contact", "Contact");
    void router.navigate({ href: "/manager?view=nodes" });
    await screen.findByText("Last sample: …");
    await screen.findByRole("heading", { name: "syd01 - iface AS4242420001" });
    expect((await rowsOf("Node CPU usage, last 3 hours")).map(([name]) => name)).toEqual([
      "Node",
      ...provider.nodes.map(({ name }) => `${name}.dn42.example.net`),
    ]);
  });

  it("shows an error, retries on request, and keeps the charts if only the newest samples are missing", async () => {
    backend.refuse("getNodeSeries", 403, { message: "Not now." });
    const { user, queryClient } = await openNodes();
    const retry = await screen.findByRole("button", { name: "Retry" });
    screen.getByText("The samples could not be loaded. Not now.");
    expect(screen.getAllByText("Not loaded.")).toHaveLength(2);
    backend.restore();
    await user.click(retry);
    await screen.findByText(/^Last sample: .+ ago$/);
    expect(screen.queryByText("Not loaded.")).toBeNull();
    backend.refuse("getNodeSeries", 403, { message: "Not now." });
    await act(() => queryClient.invalidateQueries({ queryKey: ["node-series"] }));
    await screen.findByText(
      "The latest samples could not be loaded. The charts show the previous ones. Not now.",
    );
    expect((await rowsOf("Node memory usage, last 3 hours"))[1]).toEqual([
      "syd01.dn42.example.net",
      "30.0%",
      "30.0%",
    ]);
  });

  it("offers a peered node that the profile does not list", async () => {
    dashboards({ node_cpu: "https://g.example.net/cpu?var-node={node}" });
    backend.reply("getPeeredNodes", ["old01"]);
    await openNodes();
    expect(
      await screen.findByRole("option", { name: "old01.dn42.example.net", selected: true }),
    ).toBeTruthy();
  });

  it("frames the provider's dashboards, of a node that can be chosen", async () => {
    dashboards({
      node_cpu: "https://g.example.net/cpu?var-node={node}",
      interface: "/grafana/iface?var-node={node}",
    });
    addPeering(backend.state, { node: "de01" });
    const { user, address, router } = await openNodes();
    const entries = router.history.length;
    const title = "de01 - iface AS4242420001";
    await screen.findByTitle(title);
    expect(panels()).toEqual(["Node CPU usage", "Node memory usage", title]);
    const sandbox = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";
    const own = [title, "/grafana/iface?var-node=de01&from=now-3h&to=now", sandbox];
    const remote = (node: string) => [
      "Node CPU usage",
      `https://g.example.net/cpu?var-node=${node}&from=now-3h&to=now`,
      `${sandbox} allow-same-origin`,
    ];
    expect(frames()).toEqual([remote("de01"), own]);
    await user.selectOptions(screen.getByRole("combobox", { name: "Node" }), "za01.dn42.example.net");
    expect(address()).toBe("/manager?view=nodes&node=za01");
    expect(router.history.length).toBe(entries);
    await expect.poll(frames).toEqual([remote("za01"), own]);
  });

  it("takes the node from the address, and the first one if the address names an unknown node", async () => {
    dashboards({ node_cpu: "https://g.example.net/cpu?var-node={node}" });
    const { router } = await openNodes("&node=ny01");
    expect(chosen()).toBe("ny01");
    await router.navigate({ href: "/manager?view=nodes&node=nowhere" });
    await expect.poll(chosen).toBe("syd01");
    expect(frames()[0]?.[1]).toBe("https://g.example.net/cpu?var-node=syd01&from=now-3h&to=now");
  });
});

it("Stats has one panel with the routes of every node in both families", async () => {
  await openStats();
  await screen.findByText(
    "za01.dn42.example.net does not respond. 1 has issues, 1 was not checked. Routes per node: 812 to 816 IPv4, 640 to 644 IPv6.",
  );
  expect(panels()).toEqual(["Total routes"]);
  expect((await rowsOf("Total routes over IPv4, last 3 hours"))[1]).toEqual([
    "syd01.dn42.example.net",
    "812",
    "812",
  ]);
  expect((await rowsOf("Total routes over IPv6, last 3 hours"))[2]).toEqual([
    "per01.dn42.example.net",
    "641",
    "641",
  ]);
});

it("Node Status and Status say the same of the nodes, with one age, if the data is cached", async () => {
  const fetchedAt = String(Date.now() - 7 * 60_000);
  const cached = (body: unknown, at = fetchedAt) =>
    Response.json(body, { headers: { [fetchedAtHeader]: at } });
  const now = Date.now();
  backend.reply("getNodeHistories", () => cached(nodeHistories(now)));
  backend.reply("getNodeSeries", () => cached(nodeSeriesAt(now), String(now - 90 * 60_000)));
  const { router } = await openNodes();
  const sentence = (await screen.findByText(/^za01\.dn42\.example\.net does not respond\./)).textContent;
  await screen.findByText("last known, 7 min ago");
  expect(screen.queryByText(/^Last sample/)).toBeNull();
  await act(() => router.navigate({ href: "/status" }));
  const ofStatus = (await screen.findByText(/^za01\.dn42\.example\.net does not respond\./)).textContent;
  expect(sentence.startsWith(`${ofStatus} CPU usage is`)).toBe(true);
  await screen.findByText("last known, 7 min ago");
});

it("the age of the newest sample is correct on a device whose clock is an hour ahead", async () => {
  backend.reply("getNodeSeries", () => {
    const now = Date.now() - 3_600_000;
    return Response.json(nodeSeriesAt(now), {
      headers: { date: new Date(now).toUTCString() },
    });
  });
  await openStats();
  expect(await screen.findByText(/^Last sample: (?:59 s|1 min) ago$/, {}, { timeout: 3000 })).toBeTruthy();
});
