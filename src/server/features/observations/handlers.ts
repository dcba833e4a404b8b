import { createSingleFlight } from "../../../domain/concurrency/single-flight.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../api/handlers.ts";
import { findDesiredOfAs } from "../peerings/desired-peerings.ts";
import { readHistory } from "./history.ts";
import { readSamples, readTraffic } from "./samples.ts";

export interface ObservationDeps {
  readonly db: Db;
  readonly agents: { readonly nodes: readonly string[] };
  readonly clock: () => number;
}

const sharing = { maxAgeMs: 5_000, now: () => performance.now() };

export function observationHandlers({
  db,
  agents: { nodes },
  clock,
}: ObservationDeps): Pick<Handlers, "getNodeHistory" | "getNodeSamples"> {
  const history = createSingleFlight(() => readHistory(db, nodes, clock()), sharing);
  const samples = createSingleFlight(() => readSamples(db, clock()), sharing);
  return {
    getNodeHistory: () => history.get(),
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
