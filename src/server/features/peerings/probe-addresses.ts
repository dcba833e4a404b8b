/**
 * Removes addresses to probe that are no longer registered to their AS, so that a node sends nothing to their new holder.
 *
 * Invariants: nothing is removed while the registry is missing or outdated. The change is a deployment like one of the
 * participant, which later versions of the peering are compared with. One that fails is tried again an hour later.
 */
import type { Logger } from "pino";
import { noOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import type { Events } from "../../db/events.ts";
import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import { lockPeering } from "../../db/peering-locks.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";
import type { Registry } from "../../registry/registry.ts";
import { hasConflict } from "./conflicts/peering-conflicts.ts";
import { addTask, findUnfinishedOfPeering, publishTask } from "./deployment/task-store.ts";
import { type DesiredPeering, findDesired, putDesired } from "./desired-peerings.ts";

export interface ProbeAddressDeps {
  readonly db: Db;
  readonly registry: Pick<Registry, "isInOwnNetwork" | "readAge">;
  readonly events: Pick<Events, "publishIn">;
  readonly locks: AppContext["locks"];
  readonly clock: () => number;
  readonly retentionClock: () => number;
  readonly log: Logger;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs: number;
}

const hourMs = 3_600_000;

/** Creates the loop that compares all addresses with the registry, at the start and every hour. */
export function createProbeAddressChecks(deps: ProbeAddressDeps): JobLoop {
  return createJobLoop({
    pollMs: hourMs,
    run: ({ closing }) => checkProbeAddresses(deps, closing),
    onError: (error) => deps.log.error({ err: error }, "comparing probed addresses with the registry failed"),
  });
}

export async function checkProbeAddresses(deps: ProbeAddressDeps, signal: AbortSignal): Promise<void> {
  const { db, registry, locks, log } = deps;
  await locks.tryExclusive("probe addresses", async () => {
    for (const { asn, node, address } of await findProbedAddresses(db)) {
      if (signal.aborted || (await registry.readAge()).stale) return;
      if (await registry.isInOwnNetwork(asn, address)) continue;
      if (!(await removeProbeAddress(deps, { asn, node, address }))) continue;
      log.warn({ asn, node, address }, "a probed address is no longer registered to its AS, and is removed");
    }
  });
}

interface ProbedAddress {
  readonly asn: string;
  readonly node: string;
  readonly address: string;
}

async function findProbedAddresses(db: Db): Promise<readonly ProbedAddress[]> {
  const rows = await db
    .selectFrom("peerings")
    .select(["asn", "node", "request"])
    .where("present", "=", 1)
    // The quoted name occurs in no value: those are canonical texts.
    .where("request", "like", '%"probeAddress":"%')
    .execute();
  return rows.flatMap(({ asn, node, request }) => {
    const { probeAddress: address } = JSON.parse(request) as DesiredPeering["request"];
    return typeof address === "string" ? { asn, node, address } : [];
  });
}

/** Adds the deployment. Returns false if the peering has changed meanwhile, or is being deployed. */
async function removeProbeAddress(
  { db, events, clock, retentionClock, waitMs }: ProbeAddressDeps,
  { asn, node, address }: ProbedAddress,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockPeering(tx, { asn, node });
    const before = await findDesired(tx, asn, node);
    if (before?.present !== true || before.request.probeAddress !== address) return false;
    if ((await findUnfinishedOfPeering(tx, asn, node)) || (await hasConflict(tx, asn, node))) return false;
    // The node has a key that the database does not have: another deployment would remove it.
    if (before.request.presharedKey === "unknown") return false;
    const request = { ...before.request, probeAddress: null };
    const { probeAddress: _removed, ...peering } = before.peering;
    const generation = await takeGeneration(tx, node);
    await putDesired(tx, { ...before, generation, revision: generation, request, peering });
    const now = clock();
    const task = await addTask(
      tx,
      { asn, node, generation, request, previous: JSON.stringify(before), waitMs },
      { now, retentionTime: retentionClock() },
    );
    const kind = "probe-address-removed";
    await recordEvent(
      tx,
      { kind, asn, node, task: task.id, before: before.request, after: request },
      noOrigin,
      now,
    );
    await publishTask(events, tx, task);
    return true;
  });
}
