import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import type { Handlers } from "../../api/handlers.ts";
import { findDesiredOfAs } from "../peerings/desired-peerings.ts";
import { readHistory } from "./history.ts";
import { readNetworkSummary, type SummaryDeps } from "./network-summary.ts";
import { readPeeringHistories } from "./peering-histories.ts";
import { readSamples, readTraffic } from "./samples.ts";

export interface ObservationDeps extends SummaryDeps {
  readonly agents: { readonly nodes: readonly string[] };
}

const sharing = { maxAgeMs: 5_000, now: () => performance.now() };

type ObservationCalls = "getNodeHistory" | "getNodeSamples" | "getPeeringHistory" | "getNetworkSummary";

export function observationHandlers(deps: ObservationDeps): Pick<Handlers, ObservationCalls> {
  const {
    db,
    agents: { nodes },
    clock,
  } = deps;
  const history = createSingleFlight(() => readHistory(db, nodes, clock()), sharing);
  const samples = createSingleFlight(() => readSamples(db, clock()), sharing);
  const peeringHistories = createSingleFlight((asn) => readPeeringHistories(db, asn, clock()), sharing);
  const summary = createSingleFlight(() => readNetworkSummary(deps), sharing);
  return {
    getNodeHistory: () => history.get(),
    getPeeringHistory: (_body, { asn }) => peeringHistories.get(asn),
    getNetworkSummary: () => summary.get(),
    async getNodeSamples(_body, { asn }) {
      const [samplesByNode, traffic, peerings] = await Promise.all([
        samples.get(),
        readTraffic(db, asn, clock()),
        findDesiredOfAs(db, asn),
      ]);
      const peered = new Set(peerings.map(({ node }) => node));
      return nodes.map((node) => ({
        node,
        samples: samplesByNode.get(node) ?? [],
        traffic: peered.has(node) ? [...(traffic.get(node) ?? [])] : null,
      }));
    },
  };
}
