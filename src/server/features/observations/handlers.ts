import type { NodeHistory } from "#contract/history.ts";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import { createNodeProblems } from "../../agents/node-problems.ts";
import type { Handlers } from "../../api/handlers.ts";
import type { AppContext } from "../../context.ts";
import type { Nodes } from "../../nodes/nodes.ts";
import { createHistory } from "./history.ts";
import { readNetworkSummary, type SummaryDeps } from "./network-summary.ts";
import { createNodeSeries } from "./node-series.ts";
import { readPeeringHistories } from "./peering-histories.ts";
import { readSessionChanges } from "./session-changes.ts";
import { readTrafficSeries } from "./traffic-series.ts";

export type ObservationContext = Pick<AppContext, "agents"> &
  SummaryDeps & { readonly nodes: Pick<Nodes, "onChange"> };

const sharing = { maxAgeMs: 5_000, now: () => performance.now() };

type ObservationCalls =
  | "getNodeHistories"
  | "getNodeSeries"
  | "getTrafficSeries"
  | "getPeeringHistory"
  | "getSessionChanges"
  | "getNetworkSummary";

export function observationHandlers(context: ObservationContext): Pick<Handlers, ObservationCalls> {
  const { db, clock } = context;
  const problems = createNodeProblems(context.agents);
  const openReaders = () => {
    const nodes = context.agents.listNodes();
    return { history: createHistory(db, nodes), series: createNodeSeries(db, nodes) };
  };
  let readers = openReaders();
  const history = createSingleFlight(async () => {
    const read = await readers.history(clock());
    return { ...read, nodes: await withProblems(read.nodes) };
  }, sharing);
  const series = createSingleFlight(() => readers.series(clock()), sharing);
  const peeringHistories = createSingleFlight((asn) => readPeeringHistories(db, asn, clock()), sharing);
  const summary = createSingleFlight(async () => {
    const read = await readNetworkSummary(context);
    return { ...read, nodes: await withProblems(read.nodes) };
  }, sharing);
  context.nodes.onChange(() => {
    readers = openReaders();
    summary.invalidate();
  });

  /** Adds the problems of nodes whose last observation had issues. */
  async function withProblems<Each extends Pick<NodeHistory, "node" | "now" | "problem">>(
    all: readonly Each[],
  ): Promise<Each[]> {
    const names = all.filter(({ now }) => now === "Issues").map(({ node }) => node);
    const known = await problems.readSoon(names);
    return all.map((each) => {
      const problem = known.get(each.node);
      return problem === undefined ? each : Object.assign({}, each, { problem });
    });
  }

  return {
    getNodeHistories: () => history.get(),
    getPeeringHistory: (_requestBody, { asn }) => peeringHistories.get(asn),
    getSessionChanges: (_requestBody, { asn }) => readSessionChanges(db, asn, clock()),
    getNetworkSummary: () => summary.get(),
    getNodeSeries: () => series.get(),
    getTrafficSeries: (_requestBody, { asn }) => readTrafficSeries(db, asn, clock()),
  };
}
