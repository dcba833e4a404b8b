/**
 * Takes nodes to their new WireGuard keys: asks the agent for the key, announces it, gives tunnels without a handshake the old key
 * again, gives the rest the new one at the date, and removes the old one.
 *
 * Invariants:
 * - Among all servers one works at a time (the lock `node rekeys`). What it decides is in the database, and each step is one
 *   transaction or can be repeated, so a crash between two steps is repaired by the next run.
 * - A tunnel is changed only by a deployment of its peering. So it has one of the two keys at any time.
 */
import type { AppContext } from "#server/context.ts";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings, lockPeering } from "#server/db/peering-locks.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { hasConflict } from "../conflicts/peering-conflicts.ts";
import { reconcileLock } from "../deployment/node-reconciler.ts";
import { findUnfinishedOfPeering, findUnfinishedOnNode, type TaskRow } from "../deployment/task-store.ts";
import { type DesiredPeering, findDesired } from "../desired-peerings.ts";
import { announceRekey } from "./announce-rekey.ts";
import { deployNodeKey, type KeyDeploymentDeps, putSwitch } from "./deploy-node-key.ts";
import type { WriteNotice } from "./notify-of-key.ts";
import { returnAfterMs } from "./observe-switches.ts";
import { type AnnouncedRekey, isAnnounced, type RekeyRow } from "./rekey-rows.ts";
import { removeUnusedKeys } from "./remove-unused-keys.ts";
import { settleSwitches } from "./settle-switches.ts";

export interface RekeyDeps extends KeyDeploymentDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  readonly locks: AppContext["locks"];
  readonly log: AppContext["log"];
  readonly writeNotice: WriteNotice;
  /** Called after notices and push messages are committed. */
  readonly onNotified: (asns: readonly string[]) => Promise<void>;
}

const pollMs = 1_000;
/** After a call that failed. */
const retryMs = 10_000;
/** After a deployment that failed. */
const redeployMs = 10 * 60_000;
/** How many tunnels of a node the server switches at a time. */
const maxInProgress = 50;

export function createRekeys(deps: RekeyDeps): JobLoop {
  const { db, agents, locks, log } = deps;
  /** When a node may be called again, monotonic. */
  const pausedUntil = new Map<string, number>();

  async function follow(rekey: RekeyRow, signal: AbortSignal): Promise<void> {
    if ((pausedUntil.get(rekey.node) ?? 0) > performance.now()) return;
    const abortable = { ...agents, ask: askUntil(agents, signal) };
    try {
      await takeStep({ ...deps, agents: abortable }, rekey);
    } catch (error) {
      if (signal.aborted) return;
      pausedUntil.set(rekey.node, performance.now() + retryMs);
      if (!(error instanceof NodeUnreachableError))
        log.error({ err: error, node: rekey.node }, "a step to a node's new key failed, retrying");
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const notified = await settleSwitches(deps);
    if (notified.length > 0) await deps.onNotified(notified);
    for (const rekey of await db.selectFrom("node_rekeys").selectAll().orderBy("node").execute()) {
      if (signal.aborted) return;
      await follow(rekey, signal);
    }
  }

  return createJobLoop({
    pollMs,
    run: ({ closing }) => locks.tryExclusive("node rekeys", () => run(closing)),
    onError: (error) => log.error({ err: error }, "following the new keys of nodes failed"),
  });
}

function askUntil(agents: AgentClient, signal: AbortSignal): AgentClient["ask"] {
  return (node, name, body) => agents.ask(node, name, body, { signal });
}

async function takeStep(deps: RekeyDeps, rekey: RekeyRow): Promise<void> {
  const { db, clock } = deps;
  const { node } = rekey;
  if ((await findNode(db, node)) === null) return deleteRekey(db, rekey);
  if (rekey.cancelled_at !== null) {
    await removeUnusedKeys(deps, node);
    return deleteRekey(db, rekey);
  }
  if (!isAnnounced(rekey)) {
    await deps.locks.tryExclusive(reconcileLock(node), () => announceRekey(deps, rekey));
    return;
  }
  if (clock() < rekey.switch_at) return returnUnconfirmed(deps, rekey);
  await switchRest(deps, rekey);
  if (!(await hasSwitchedAll(db, rekey))) return;
  await removeUnusedKeys(deps, node);
  const hasEnded = await db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    // A deployment may have failed meanwhile, after which the tunnel has the old key again.
    if (!(await hasSwitchedAll(tx, rekey))) return false;
    await deleteRekey(tx, rekey);
    await recordEvent(tx, { kind: "node-rekey-ended", asn: null, node }, noOrigin, clock());
    return true;
  });
  if (hasEnded) deps.log.info({ node }, "all tunnels of the node have its new key");
}

async function deleteRekey(db: Db, { node, id }: RekeyRow): Promise<void> {
  await db.deleteFrom("node_rekeys").where("node", "=", node).where("id", "=", id).execute();
}

/** Gives the old key again to tunnels that their participants switched, and on which no handshake came. */
async function returnUnconfirmed(deps: RekeyDeps, rekey: AnnouncedRekey): Promise<void> {
  const { db, log } = deps;
  const { node, old_key: nodeKey, new_key: newKey } = rekey;
  const switches = await db
    .selectFrom("node_key_switches")
    .selectAll()
    .where("node", "=", node)
    .where("by_server", "=", 0)
    .where("return_task", "is", null)
    .execute();
  for (const { asn, task, seen_at: seenAt, watched_from: watchedFrom } of switches) {
    if (seenAt === null || watchedFrom === null || seenAt - watchedFrom < returnAfterMs) continue;
    await changeKey(deps, { asn, node }, async (tx, before) => {
      if (before.peering.nodeKey !== newKey) return false;
      const kind = "node-key-returned";
      const { id } = await deployNodeKey(tx, deps, { before, nodeKey, kind, origin: noOrigin });
      await tx.updateTable("node_key_switches").set({ return_task: id }).where("task", "=", task).execute();
      log.info({ asn, node }, "no handshake with the node's new key, deploying the old one");
      return true;
    });
  }
}

/** Gives the new key to tunnels that have another one, while the node responds. */
async function switchRest(deps: RekeyDeps, rekey: AnnouncedRekey): Promise<void> {
  const { db, agents, log } = deps;
  const { node, new_key: nodeKey } = rekey;
  const rest = await listOthers(db, rekey);
  if (rest.length === 0) return;
  await agents.ask(node, "facts", undefined);
  let room = maxInProgress - (await findUnfinishedOnNode(db, node)).length;
  for (const asn of rest) {
    if (room <= 0) return;
    const isAdded = await changeKey(deps, { asn, node }, async (tx, before) => {
      if (before.peering.nodeKey === nodeKey || (await hasJustFailed(deps, tx, before))) return false;
      const kind = "node-key-switched-by-server";
      await putSwitch(tx, await deployNodeKey(tx, deps, { before, nodeKey, kind, origin: noOrigin }), true);
      log.info({ asn, node }, "deploying the node's new key, because its date has come");
      return true;
    });
    if (isAdded) room -= 1;
  }
}

/** The AS numbers whose tunnels have another key, or have had one and are being removed. */
async function listOthers(db: Db, { node, new_key: newKey }: AnnouncedRekey): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("peerings")
    .select("asn")
    .where("node", "=", node)
    .where((row) => row.or([row("tunnel_key", "is", null), row("tunnel_key", "!=", newKey)]))
    .orderBy("asn")
    .execute();
  return rows.map(({ asn }) => asn);
}

/** Whether no tunnel has another key, or has it again if a deployment fails. */
async function hasSwitchedAll(db: Db, rekey: AnnouncedRekey): Promise<boolean> {
  const unfinished = await findUnfinishedOnNode(db, rekey.node);
  return (
    (await listOthers(db, rekey)).length === 0 && unfinished.every((task) => hadKey(task, rekey.new_key))
  );
}

/** Whether the tunnel has this key if the task fails, or there is none then. */
function hadKey({ previous }: TaskRow, nodeKey: string): boolean {
  return previous === null || (JSON.parse(previous) as DesiredPeering).peering.nodeKey === nodeKey;
}

/** Runs the change if the peering is there, is not being deployed, and may be changed by the server. */
async function changeKey(
  { db }: RekeyDeps,
  place: { readonly asn: string; readonly node: string },
  change: (tx: Db, before: DesiredPeering) => Promise<boolean>,
): Promise<boolean> {
  const { asn, node } = place;
  return db.transaction().execute(async (tx) => {
    await lockPeering(tx, place);
    const before = await findDesired(tx, asn, node);
    if (before?.present !== true) return false;
    if ((await findUnfinishedOfPeering(tx, asn, node)) || (await hasConflict(tx, asn, node))) return false;
    // The node has a key that the database does not have: another deployment would remove it.
    if (before.request.presharedKey === "unknown") return false;
    return change(tx, before);
  });
}

async function hasJustFailed({ clock }: RekeyDeps, tx: Db, { asn, node }: DesiredPeering): Promise<boolean> {
  const failed = await tx
    .selectFrom("tasks")
    .select("id")
    .where("asn", "=", asn)
    .where("node", "=", node)
    .where("status", "in", ["failed", "error"])
    .where("ended_at", ">", clock() - redeployMs)
    .limit(1)
    .executeTakeFirst();
  return failed !== undefined;
}
