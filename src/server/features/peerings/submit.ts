import type { PeerUpdate, Task } from "../../../contract/entities.ts";
import { completePeering } from "../../../domain/peering/complete-peering.ts";
import { checkPeerUpdate, type RoutedAddress } from "../../../domain/peering/check-peer-update.ts";
import type { ValidationError } from "../../../domain/peering/peering-rules.ts";
import type { Profile } from "../../config/profile.ts";
import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import type { Events } from "../../db/events.ts";
import { HttpError } from "../../../contract/http-error.ts";
import {
  addTask,
  presentTask,
  findRepeatedTask,
  type TaskRow,
  findUnfinishedOfPeering,
} from "./deployment/task-store.ts";
import { readNodeIdentity } from "../../agents/node-facts.ts";
import { findDesired, putDesired } from "./desired-peerings.ts";
import { findTakenByOthers } from "./taken-on-node.ts";

export interface SubmissionDeps {
  readonly db: Db;
  readonly events: Events;
  readonly profile: Profile;
  /** Whether a tunnel address is registered to the AS. */
  readonly holdsAddress: (asn: string, address: string) => Promise<boolean>;
  readonly clock: () => number;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs: number;
}

/**
 * Creates or changes the peering of an AS on a node and a task that deploys it, in one transaction.
 *
 * Repeating the same submit during its deployment or shortly after returns the same task. Throws `HttpError` 422 for
 * an invalid value, and 409 when another deployment is running or the peering has changed meanwhile.
 */
export async function submitPeering(deps: SubmissionDeps, asn: string, update: PeerUpdate): Promise<Task> {
  const { db, profile } = deps;
  const node = profile.nodes.find(({ name }) => name === update.node);
  if (!node) throw invalidValueError({ field: "node", message: "There is no such node." });
  const identity = await readNodeIdentity(db, node);
  const checked = checkPeerUpdate(update, {
    asn,
    node: identity,
    providerEndpoints: profile.nodes.flatMap(({ endpoints }) => endpoints),
    providerPrefixes: profile.prefixes,
    allowDocumentation: profile.allowDocumentation,
  });
  if (!checked.ok) throw invalidValueError(checked.error);
  const { request, routed } = checked;
  await requireRegistered(deps, asn, routed);

  const { task, isNew } = await db.transaction().execute(async (tx) => {
    const generation = await takeGeneration(tx);
    const submitted = JSON.stringify(request);
    const now = deps.clock();
    const unfinished = await findUnfinishedOfPeering(tx, asn, node.name);
    if (unfinished && unfinished.request !== submitted) throw deploymentRunningError(node.name);
    const repeated = unfinished ?? (await findRepeatedTask(tx, asn, node.name, submitted, now));
    if (repeated) return { task: repeated, isNew: false };

    const before = await findDesired(tx, asn, node.name);
    if (update.generation !== undefined && update.generation !== (before?.revision ?? 0)) {
      throw new HttpError(409, {
        message: `Your peering on ${node.name} has changed meanwhile, in another window or by a deployment. What you entered was not saved.`,
        field: "generation",
      });
    }
    const taken = await findTakenByOthers(tx, node, request);
    const completed = completePeering(request, identity, taken, before?.peering.listenPort ?? null);
    if (!completed.ok) throw invalidValueError(completed.error);
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

/**
 * Marks the peering for deletion and adds the task that removes it from the node. Repeating it during the deletion returns
 * the same task. Throws `HttpError` 404 without a peering, and 409 when another deployment is running.
 */
export async function deletePeering(deps: SubmissionDeps, asn: string, node: string): Promise<Task> {
  const { task, isNew } = await deps.db.transaction().execute(async (tx) => {
    const generation = await takeGeneration(tx);
    const unfinished = await findUnfinishedOfPeering(tx, asn, node);
    if (unfinished?.kind === "delete") return { task: unfinished, isNew: false };
    if (unfinished) throw deploymentRunningError(node);
    const before = await findDesired(tx, asn, node);
    if (!before) throw peeringNotFoundError(asn, node);
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

export function peeringNotFoundError(asn: string, node: string): HttpError {
  return new HttpError(404, { message: `AS${asn} has no peering on ${node}.`, field: "node" });
}

async function requireRegistered(
  deps: SubmissionDeps,
  asn: string,
  routed: readonly RoutedAddress[],
): Promise<void> {
  for (const { field, address } of routed) {
    if (await deps.holdsAddress(asn, address)) continue;
    throw invalidValueError({
      field,
      message: `${address} is not registered to AS${asn}: the registry has no route object with this origin and no address block of its maintainers that covers it.`,
    });
  }
}

function invalidValueError(error: ValidationError): HttpError {
  return new HttpError(422, error);
}

function deploymentRunningError(node: string): HttpError {
  return new HttpError(409, {
    message: `Another deployment of your peering on ${node} is running. Wait for it to finish, then try again. What you entered was not saved.`,
  });
}
