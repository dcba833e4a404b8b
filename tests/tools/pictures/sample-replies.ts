/** Replaces replies of the demo in a page by samples. */
import type { Page } from "playwright";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import { calls } from "#contract/calls.ts";
import type { NodeStatus } from "#contract/entities.ts";
import { livePath } from "#contract/live-events.ts";
import { demoNodes, pictured, sampledDemoPeerings } from "./demo-peerings.ts";
import { sampleHistories, type SampledPeering } from "./sample-history.ts";
import { chainOf, demoLinks, type SampleLinks, sampleLinks } from "./sample-links.ts";
import {
  nodeNames,
  sampleConfig,
  sampledPeerings,
  samplePeerings,
  sampleProvider,
  silentPeerings,
} from "./sample-network.ts";
import { sampleNodeHistory, sampleNodeSamples, sampleNodeSummaries } from "./sample-nodes.ts";
import { isDownAt, type NodeOutages, outagesOfNodes } from "./sample-outages.ts";

const { getPeerStatus, getNodesList, getNodeHistory, getNodeSamples, getNodeStatus, mapVPNStatus, provider } =
  calls;
const { getNetworkSummary, getPeeringHistory } = historyCalls;

export const replyWith = (page: Page, path: string, json: unknown) =>
  page.route(`**${path}`, (route) => route.fulfill({ json }));

export const refuse = (page: Page, path: string, status = 503) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { message: "The server cannot do this now." } }),
  );

export const neverReply = (page: Page, path: string) =>
  page.route(`**${path}`, () => new Promise(() => undefined));

/** Gives a page of the demo a history, which the demo's peerings are too young to have. */
export async function addHistory(page: Page): Promise<void> {
  const now = Date.now();
  const outages = outagesOfNodes(demoNodes, now);
  await replyWithHistory(page, now, outages, sampledDemoPeerings(), sampleLinks(demoLinks, outages, now));
}

/** The nodes of the pictured peerings do not reply, and the others do. */
export async function silentNodes(page: Page): Promise<void> {
  const now = Date.now();
  const outages = outagesOfNodes(demoNodes, now, pictured);
  await replyWithHistory(page, now, outages, sampledDemoPeerings(), sampleLinks(demoLinks, outages, now));
  await replyWith(page, getPeerStatus.path, silentPeerings(pictured));
  await replyWithNodeStatus(page, now, outages);
}

/** Replaces the demo's network by one with this many nodes; the participant has a peering with the first ones. */
export async function largeNetwork(page: Page, count: number, peered = count): Promise<void> {
  const names = nodeNames(count);
  const mine = names.slice(0, peered);
  const now = Date.now();
  const outages = outagesOfNodes(names, now);
  const isDown = (node: string) => isDownAt(outages.get(node) ?? [], now);
  const peerings = samplePeerings(mine, isDown);
  await page.route(`**${provider.path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: sampleProvider(await response.json(), names) });
  });
  await replyWith(page, getPeerStatus.path, peerings);
  await replyWith(page, calls.getPeeredNodes.path, mine);
  await replyWith(
    page,
    getNodesList.path,
    names.map((name) => ({ name })),
  );
  await replyWith(page, calls.getEndpointRoundTrips.path, {
    endpoint: "router.example.org",
    nodes: names.map((node, index) => ({
      node,
      latency: isDown(node) || index % 9 === 8 ? null : 4 + 13 * ((index * 7) % 24),
    })),
  });
  const links = sampleLinks(chainOf(names), outages, now, (index) => index % 9 === 4);
  await replyWithHistory(page, now, outages, sampledPeerings(peerings), links);
  await replyWithNodeStatus(page, now, outages);
  await replyWith(page, calls.getPeerConfig.path, sampleConfig);
  await page.route(`**${livePath}`, (route) => route.abort());
}

async function replyWithHistory(
  page: Page,
  now: number,
  outages: NodeOutages,
  peerings: readonly SampledPeering[],
  links: SampleLinks,
): Promise<void> {
  await replyWith(page, getNetworkSummary.path, {
    ...sampleNodeSummaries(outages, now),
    links: links.roundTrips,
  });
  await replyWith(page, mapVPNStatus.path, links.states);
  await replyWith(page, getPeeringHistory.path, sampleHistories(peerings, outages, now));
  await replyWith(page, getNodeHistory.path, sampleNodeHistory(outages, now));
  await replyWith(page, getNodeSamples.path, sampleNodeSamples(outages, peerings, now));
}

async function replyWithNodeStatus(page: Page, now: number, outages: NodeOutages): Promise<void> {
  await page.route(`**${getNodeStatus.path}`, (route) => {
    const { node } = route.request().postDataJSON() as { readonly node: string };
    const results: NodeStatus = isDownAt(outages.get(node) ?? [], now)
      ? { status: "Down", known: false, uptime: "", load: "", issues: [], findings: [] }
      : {
          status: "OK",
          known: true,
          uptime: "123 days, 3:04",
          load: "0.12, 0.08, 0.05",
          issues: [],
          findings: [],
        };
    return route.fulfill({ json: { results } });
  });
}
