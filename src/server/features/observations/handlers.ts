import type { NodeHistory } from "#contract/history.ts";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import { createNodeProblems } from "../../agents/node-problems.ts";
import type { Handlers } from "../../api/handlers.ts";
import { withSharedText, withText } from "../../api/response-texts.ts";
import type { AppContext } from "../../context.ts";
import { findDesiredOfAs } from "../peerings/desired-peerings.ts";
import { readHistory } from "./history.ts";
import { readNetworkSummary, type SummaryDeps } from "./network-summary.ts";
import { readPeeringHistories } from "./peering-histories.ts";
import { createRecentSamples } from "./recent-samples.ts";
import { readTraffic } from "./samples.ts";
import { readSessionChanges } from "./session-changes.ts";

export type ObservationContext = Pick<AppContext, "agents"> & SummaryDeps;

const sharing = { maxAgeMs: 5_000, now: () => performance.now() };

type ObservationCalls =
  | "getNodeHistory"
  | "getNodeSamples"
  | "getPeeringHistory"
  | "getSessionChanges"
  | "getNetworkSummary";

export function observationHandlers(context: ObservationContext): Pick<Handlers, ObservationCalls> {
  const {
    db,
    agents: { nodes },
    clock,
  } = context;
  const problems = createNodeProblems(context.agents);
  const history = createSingleFlight(async () => {
    const histories = await readHistory(db, nodes, clock());
    return withSharedText(withProblems(histories, await problems.readSoon()));
  }, sharing);
  const readRecentSamples = createRecentSamples(db);
  const samples = createSingleFlight(() => readRecentSamples(clock()), sharing);
  const peeringHistories = createSingleFlight((asn) => readPeeringHistories(db, asn, clock()), sharing);
  const summary = createSingleFlight(async () => {
    const [read, known] = await Promise.all([readNetworkSummary(context), problems.readSoon()]);
    return withSharedText({ ...read, nodes: withProblems(read.nodes, known) });
  }, sharing);
  return {
    getNodeHistory: () => history.get(),
    getPeeringHistory: (_requestBody, { asn }) => peeringHistories.get(asn),
    getSessionChanges: (_requestBody, { asn }) => readSessionChanges(db, asn, clock()),
    getNetworkSummary: () => summary.get(),
    async getNodeSamples(_requestBody, { asn }) {
      const [series, traffic, peerings] = await Promise.all([
        samples.get(),
        readTraffic(db, asn, clock()),
        findDesiredOfAs(db, asn),
      ]);
      const peered = new Set(peerings.map(({ node }) => node));
      const response = nodes.map((node) => ({
        node,
        samples: [...(series.get(node)?.samples ?? [])],
        traffic: peered.has(node) ? [...(traffic.get(node) ?? [])] : null,
      }));
      return withText(response, () => {
        const items = response.map(({ samples: _shared, ...own }) => {
          return `${JSON.stringify(own).slice(0, -1)},"samples":${series.get(own.node)?.text ?? "[]"}}`;
        });
        return `[${items.join(",")}]`;
      });
    },
  };
}

/** Adds the problems of nodes whose last observation had issues. */
function withProblems<Each extends Pick<NodeHistory, "node" | "now" | "problem">>(
  nodes: readonly Each[],
  problems: ReadonlyMap<string, string>,
): Each[] {
  return nodes.map((each) => {
    const problem = problems.get(each.node);
    return problem === undefined || each.now !== "Issues" ? each : Object.assign({}, each, { problem });
  });
}
