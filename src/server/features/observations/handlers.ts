import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { Agents } from "../nodes/agents.ts";
import { createSharedReads } from "../nodes/shared-reads.ts";
import { desiredOfAs } from "../peerings/desired.ts";
import { readHistory } from "./history.ts";
import { readSamples, readTraffic } from "./samples.ts";

export interface ObservationDeps {
  readonly db: Db;
  readonly agents: Agents;
  readonly clock: () => number;
}

const freshMs = 5_000;

export function observationHandlers({
  db,
  agents,
  clock,
}: ObservationDeps): Pick<Handlers, "getNodeHistory" | "getNodeSamples"> {
  const history = createSharedReads(() => readHistory(db, agents.nodes, clock()), freshMs);
  const samples = createSharedReads(() => readSamples(db, clock()), freshMs);
  return {
    getNodeHistory: () => history(""),
    async getNodeSamples(_body, { asn }) {
      const [ofNodes, traffic, desired] = await Promise.all([
        samples(""),
        readTraffic(db, asn, clock()),
        desiredOfAs(db, asn),
      ]);
      const peered = new Set(desired.map(({ node }) => node));
      return agents.nodes.map((node) => ({
        node,
        samples: ofNodes.get(node) ?? [],
        traffic: peered.has(node) ? [...(traffic.get(node) ?? [])] : null,
      }));
    },
  };
}
