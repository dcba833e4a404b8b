import type { PeerUpdate, Task } from "../../../contract/entities.ts";
import { completePeering } from "../../../domain/complete-peering.ts";
import {
  checkPeerUpdate,
  type Refusal as BrokenRule,
  type RoutedAddress,
} from "../../../domain/peering-rules.ts";
import type { Profile } from "../../config/profile.ts";
import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import type { Events } from "../../db/events.ts";
import { Refusal } from "../../http/refusal.ts";
import {
  addTask,
  presentTask,
  repeatedTask,
  type TaskRow,
  unfinishedOfPeering,
} from "../deployments/tasks.ts";
import { nodeIdentity } from "../nodes/facts.ts";
import { findDesired, putDesired, takenByOthers } from "./desired.ts";

export interface SubmissionDeps {
  readonly db: Db;
  readonly events: Events;
  readonly profile: Profile;
  /** Whether a tunnel address is registered to the AS. */
  readonly holdsAddress: (asn: string, address: string) => Promise<boolean>;
  readonly clock: () => number;
  /** How long a deployment waits for a node that cannot be reached. */
  readonly waitMs: number;
}

/**
 * Creates or changes the peering of an AS on a node and a task that deploys it, in one transaction.
 *
 * The same submit again, while it is deployed or shortly after, answers the same task. Throws `Refusal` 422
 * for a value at fault, 409 when another deployment is under way or the peering changed meanwhile.
 */
export async function submitPeering(deps: SubmissionDeps, asn: string, update: PeerUpdate): Promise<Task> {
  const { db, profile } = deps;
  const node = profile.nodes.find(({ name }) => name === update.node);
  if (!node) throw refused({ field: "node", message: "There is no such node." });
  const identity = await nodeIdentity(db, node);
  const checked = checkPeerUpdate(update, {
    asn,
    node: identity,
    providerEndpoints: profile.nodes.flatMap(({ endpoints }) => endpoints),
    providerPrefixes: profile.prefixes,
    allowDocumentation: profile.allowDocumentation,
  });
  if (!checked.ok) throw refused(checked.refusal);
  const { request, routed } = checked;
  await refuseUnregistered(deps, asn, routed);

  const { task, isNew } = await db.transaction().execute(async (tx) => {
    const generation = await takeGeneration(tx);
    const wanted = JSON.stringify(request);
    const now = deps.clock();
    const unfinished = await unfinishedOfPeering(tx, asn, node.name);
    if (unfinished && unfinished.request !== wanted) throw busy(node.name);
    const same = unfinished ?? (await repeatedTask(tx, asn, node.name, wanted, now));
    if (same) return { task: same, isNew: false };

    const before = await findDesired(tx, asn, node.name);
    if (update.generation !== undefined && update.generation !== (before?.revision ?? 0)) {
      throw new Refusal(409, {
        message: `Your peering on ${node.name} was changed meanwhile, in another window or by a deployment. What you entered was not saved.`,
        field: "generation",
      });
    }
    const taken = await takenByOthers(tx, asn, node.name);
    const completed = completePeering(request, identity, taken, before?.peering.listenPort ?? null);
    if (!completed.ok) throw refused(completed.refusal);
    const { peering } = completed;
    await putDesired(tx, {
      asn,
      node: node.name,
      generation,
      revision: generation,
      present: true,
      request,
      peering,
    });
    const previous = before && JSON.stringify(before);
    return {
      task: await addTask(
        tx,
        { asn, node: node.name, generation, request, previous, waitMs: deps.waitMs },
        now,
      ),
      isNew: true,
    };
  });
  if (isNew) await announce(deps, task);
  return presentTask(task);
}

/** Marks the peering for deletion and adds the task that removes it from the node. */
export async function deletePeering(deps: SubmissionDeps, asn: string, node: string): Promise<Task> {
  const { task, isNew } = await deps.db.transaction().execute(async (tx) => {
    const generation = await takeGeneration(tx);
    const unfinished = await unfinishedOfPeering(tx, asn, node);
    if (unfinished?.kind === "delete") return { task: unfinished, isNew: false };
    if (unfinished) throw busy(node);
    const before = await findDesired(tx, asn, node);
    if (!before) throw noPeering(asn, node);
    await putDesired(tx, { ...before, generation, present: false });
    const previous = JSON.stringify(before);
    return {
      task: await addTask(
        tx,
        { asn, node, generation, request: null, previous, waitMs: deps.waitMs },
        deps.clock(),
      ),
      isNew: true,
    };
  });
  if (isNew) await announce(deps, task);
  return presentTask(task);
}

async function announce({ events }: SubmissionDeps, { asn, id: taskID, node }: TaskRow): Promise<void> {
  await events.publish("task", { asn, taskID, node });
}

export function noPeering(asn: string, node: string): Refusal {
  return new Refusal(404, { message: `AS${asn} has no peering on ${node}.`, field: "node" });
}

async function refuseUnregistered(
  deps: SubmissionDeps,
  asn: string,
  routed: readonly RoutedAddress[],
): Promise<void> {
  for (const { field, address } of routed) {
    if (await deps.holdsAddress(asn, address)) continue;
    throw refused({
      field,
      message: `${address} is not registered to AS${asn}: the registry has no route object of this origin and no address block of its maintainers that covers it.`,
    });
  }
}

function refused(rule: BrokenRule): Refusal {
  return new Refusal(422, rule);
}

function busy(node: string): Refusal {
  return new Refusal(409, {
    message: `Another deployment of your peering on ${node} is under way. Wait for it to end, then try again. What you entered was not saved.`,
  });
}
