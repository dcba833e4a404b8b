/** Replaces replies of the demo in a page by samples. */
import type { Page, Route } from "playwright";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import { calls } from "#contract/calls.ts";
import type { NodeStatus, Provider } from "#contract/entities.ts";
import { livePath } from "#contract/live-events.ts";
import {
  sampleNodeHistories,
  sampleSeries,
  samplePeeringHistories,
  sampleSummary,
} from "./sample-history.ts";
import {
  downNodes,
  nodeNames,
  sampleConfig,
  samplePeerings,
  sampleProvider,
  silentPeerings,
} from "./sample-network.ts";

/** The nodes of the demo, and those with a peering, as the port of the simulated remote router (src/agent/drivers/simulated/faults.ts). */
const demoNodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"] as const;
export const demoPeerings = [
  ["de01", "13"],
  ["ny01", "51820"],
  ["sin01", "11"],
  ["per01", "51820"],
] as const;
const peeredNodes = demoPeerings.map(([node]) => node);

/** Fetches what the server replies. It may close an idle connection in the moment in which the request is sent on it. */
export const fetchReply = (route: Route) => route.fetch({ maxRetries: 2 });

export const replyWith = (page: Page, path: string, json: unknown) =>
  page.route(`**${path}`, (route) => route.fulfill({ json }));

export const refuse = (page: Page, path: string, status = 503) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { message: "The server cannot do this now." } }),
  );

export const neverReply = (page: Page, path: string) =>
  page.route(`**${path}`, () => new Promise(() => undefined));

/** Gives a page of the demo a history, which the demo's peerings are too young to have. */
export const addHistory = (page: Page) => replyWithHistory(page, demoNodes, peeredNodes, ["de01"]);

/** The nodes with a peering do not reply. */
export async function silentNodes(page: Page): Promise<void> {
  await replyWith(page, calls.getPeerStatus.path, silentPeerings(peeredNodes));
  await replyWithNodeStatus(page, () => true);
}

/** Replaces the demo's network by one with this many nodes; the participant has a peering with the first ones. */
export async function largeNetwork(page: Page, count: number, peered = count): Promise<void> {
  const names = nodeNames(count);
  const mine = names.slice(0, peered);
  const isSilent = (node: string) => node === names.at(-1) && count > 1;
  await page.route(`**${calls.provider.path}`, async (route) => {
    const response = await fetchReply(route);
    await route.fulfill({ json: sampleProvider((await response.json()) as Provider, names) });
  });
  await replyWith(page, calls.getPeerStatus.path, samplePeerings(mine, isSilent));
  await replyWith(page, calls.getPeeredNodes.path, mine);
  const list = names.map((name) => ({ name }));
  await replyWith(page, calls.getNodesList.path, list);
  await replyWith(page, calls.getEndpointRoundTrips.path, {
    endpoint: "router.example.org",
    nodes: names.map((node, index) => ({
      node,
      latency: isSilent(node) || index % 9 === 8 ? null : 4 + 13 * ((index * 7) % 24),
    })),
  });
  await replyWithHistory(page, names, mine, downNodes(mine));
  await replyWithNodeStatus(page, isSilent);
  await replyWith(page, calls.getPeerConfig.path, sampleConfig);
  await page.route(`**${livePath}`, (route) => route.abort());
}

async function replyWithHistory(
  page: Page,
  nodes: readonly string[],
  peered: readonly string[],
  down: readonly string[],
): Promise<void> {
  const now = Date.now();
  // Each node has a link to the next one. Every ninth link is down.
  const links = nodes.slice(1).map((to, index) => ({ from: nodes[index] ?? "", to, isUp: index % 9 !== 4 }));
  const measured = links.filter(({ isUp }) => isUp).map(({ from, to }) => ({ from, to, latency: 87.8 }));
  const states = links.map(({ from, to, isUp }) => ({ from, to, status: isUp ? "up" : "down" }));
  await replyWith(page, historyCalls.getNetworkSummary.path, {
    ...sampleSummary(nodes, now),
    links: measured,
  });
  await replyWith(page, calls.mapVPNStatus.path, states);
  await replyWith(
    page,
    historyCalls.getPeeringHistory.path,
    samplePeeringHistories(peered, now, (node) => down.includes(node)),
  );
  await replyWith(page, calls.getNodeHistories.path, sampleNodeHistories(nodes, now));
  const { ofNodes, traffic } = sampleSeries(nodes, now);
  await replyWith(page, calls.getNodeSeries.path, ofNodes);
  await replyWith(page, calls.getTrafficSeries.path, traffic);
}

async function replyWithNodeStatus(page: Page, isSilent: (node: string) => boolean): Promise<void> {
  await page.route(`**${calls.getNodeStatus.path}`, (route) => {
    const { node } = route.request().postDataJSON() as { readonly node: string };
    const load = { uptime: "123 days, 3:04", load: "0.12, 0.08, 0.05" };
    const results: NodeStatus = {
      ...(isSilent(node)
        ? { status: "Down", known: false, uptime: "", load: "" }
        : { status: "OK", known: true, ...load }),
      issues: [],
      findings: [],
    };
    return route.fulfill({ json: { results } });
  });
}
