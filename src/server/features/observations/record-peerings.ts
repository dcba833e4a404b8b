/** Stores an observation of all peerings, in slices of their primary key's order. */
import type { ObservedPeering } from "#contract/agent.ts";
import type { ObservedPeerings } from "../../agents/observed-peerings.ts";
import type { Db } from "../../db/open.ts";
import { sliceSize, yieldToOthers } from "../../db/bulk/slices.ts";
import { findSettlingPeerings, type SettlingPeerings } from "../peerings/deployment/settling.ts";
import { addToHalfHours, toHalfHour } from "./record-half-hours.ts";
import { changedSessionStates, type RecordedPeering, storeSessionStates } from "./record-sessions.ts";

export interface NodeObservation {
  readonly node: string;
  /** Null where the node did not respond. */
  readonly peerings: readonly ObservedPeering[] | null;
}

export interface NodeResponse {
  readonly node: string;
  /** Null where the node did not respond. */
  readonly peerings: ObservedPeerings | null;
}

export interface ObservationTimes {
  readonly at: number;
  readonly retentionTime: number;
}

interface Observed extends ObservationTimes {
  readonly nodes: ReadonlyMap<string, ObservedPeerings | null>;
  readonly settling: SettlingPeerings;
}

interface Recorded {
  /** Peerings in the database, those that are being deleted included. */
  readonly count: number;
  /** What was observed, without peerings that do not exist, which a hostile agent reports: nothing is stored about them. */
  readonly nodes: readonly NodeObservation[];
}

export async function recordPeerings(
  db: Db,
  observed: readonly NodeResponse[],
  times: ObservationTimes,
): Promise<Recorded> {
  const nodes = new Map(observed.map(({ node, peerings }) => [node, peerings]));
  const all: Observed = { ...times, nodes, settling: await findSettlingPeerings(db, null, times.at) };
  const existing = new Map(observed.map(({ node }): [string, ObservedPeering[]] => [node, []]));
  let count = 0;
  for (let last: RecordedPeering | undefined; ; await yieldToOthers()) {
    const slice = await db.transaction().execute(async (tx) => {
      const recorded = await readSlice(tx, last);
      await recordSlice(tx, recorded, all);
      return recorded;
    });
    for (const { asn, node } of slice) {
      const own = nodes.get(node)?.find(asn);
      if (own) existing.get(node)?.push(own);
    }
    last = slice.at(-1);
    count += slice.length;
    if (slice.length < sliceSize) break;
  }
  return {
    count,
    nodes: observed.map(({ node, peerings }) => ({ node, peerings: peerings && (existing.get(node) ?? []) })),
  };
}

/** The recorded peerings after this one. */
function readSlice(tx: Db, last: RecordedPeering | undefined): Promise<readonly RecordedPeering[]> {
  return tx
    .selectFrom("peerings")
    .leftJoin("session_states as states", (join) =>
      join.onRef("states.asn", "=", "peerings.asn").onRef("states.node", "=", "peerings.node"),
    )
    .select(["peerings.asn", "peerings.node", "states.sessions"])
    .$if(last !== undefined, (query) =>
      query.where((row) =>
        row(row.refTuple("peerings.asn", "peerings.node"), ">", row.tuple(last?.asn ?? "", last?.node ?? "")),
      ),
    )
    .orderBy("peerings.asn")
    .orderBy("peerings.node")
    .limit(sliceSize)
    .execute();
}

async function recordSlice(
  tx: Db,
  recorded: readonly RecordedPeering[],
  { at, retentionTime, nodes, settling }: Observed,
): Promise<void> {
  const pairs = recorded.map((peering) => ({
    peering,
    observed: nodes.get(peering.node)?.find(peering.asn),
  }));
  const present = pairs.flatMap(({ peering: { node }, observed }) => (observed ? [{ node, observed }] : []));
  await addToHalfHours(
    tx,
    present.map(({ node, observed }) =>
      toHalfHour(node, observed, at, settling.isAwaited(observed.asn, node)),
    ),
  );
  await storeSessionStates(
    tx,
    pairs.flatMap(({ peering, observed }) => changedSessionStates(peering, observed, { at, retentionTime })),
  );
}
