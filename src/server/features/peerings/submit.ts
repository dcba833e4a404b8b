import type { PeerUpdate, Task } from "#contract/entities.ts";
import { nodeHost } from "#contract/node-host.ts";
import { describeToParticipant, joinSentences } from "#domain/findings/findings.ts";
import { generateKey } from "#domain/peering/fields/option-values.ts";
import { completePeering } from "#domain/peering/complete-peering.ts";
import { takeGeneration } from "../../db/generation.ts";
import { lockPeering, lockPublicKeys } from "../../db/peering-locks.ts";
import type { AuditOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { Events } from "../../db/events.ts";
import type { Db } from "../../db/open.ts";
import type { Sealer } from "../../db/secrets/sealer.ts";
import { findNode } from "../../nodes/node-rows.ts";
import { type FieldError, HttpError } from "#contract/http-error.ts";
import { type Count, findFirstExcess, type RateLimits } from "../../api/rate-limits.ts";
import {
  addTask,
  presentTask,
  publishTask,
  findRepeatedTask,
  findUnfinishedOfPeering,
} from "./deployment/task-store.ts";
import { acceptUpdate, type CheckDeps } from "./check-update.ts";
import { findDesired, putDesired } from "./desired-peerings.ts";
import { findNodeRefusal } from "./node-capacity.ts";
import { peeringKey } from "./peering-key.ts";
import { hasConflict } from "./conflicts/peering-conflicts.ts";
import { hasSamePresharedKey, sealPresharedKey } from "./preshared-keys.ts";
import { readCurrentKey } from "./node-keys/rekey-rows.ts";
import { findTakenByOthers } from "./taken-on-node.ts";
import { reportUsedValues } from "./used-values.ts";
import { readValuesInUse } from "./values-in-use.ts";

export interface SubmissionDeps extends CheckDeps {
  readonly events: Events;
  readonly rateLimits: Pick<RateLimits, "changePerPeering" | "changePerAs" | "changePerAsAndDay">;
  readonly sealer: Sealer;
  readonly retentionClock: () => number;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs: number;
  /** Throws `HttpError` if the account of the AS does not allow a deployment, within the transaction of the submit. */
  readonly assertMayDeploy: (tx: Db, asn: string) => Promise<void>;
}

export type DeletionDeps = Pick<
  SubmissionDeps,
  "db" | "profile" | "events" | "clock" | "retentionClock" | "waitMs"
>;

/**
 * Creates or changes the peering of an AS on a node and a task that deploys it, in one transaction.
 *
 * Repeating the same submit during its deployment or shortly after returns the same task. Throws `HttpError` 422
 * with every invalid value, 409 when another deployment is running, the peering has changed meanwhile or another AS uses
 * its public key, 429 after too many changes of the peering, or of all peerings of the AS in a minute or a day, and what
 * `assertMayDeploy` throws.
 */
export async function submitPeering(
  deps: SubmissionDeps,
  asn: string,
  update: PeerUpdate,
  origin: AuditOrigin,
): Promise<Task> {
  const inUse = await readValuesInUse(deps, update.node);
  const accepted = await acceptUpdate(deps, asn, update, inUse);
  if (!accepted.ok) throw invalidValuesError(accepted.errors);
  const { node, identity, request } = accepted;
  const host = nodeHost(node.name, deps.profile.domain);
  // Read before the transaction, which must not wait for a second connection, and counted after it: only a submit that
  // creates a task counts.
  const counts = changeCounts(deps.rateLimits, asn, node.name);
  const excess = await findFirstExcess(counts);

  let unusable: readonly FieldError[] = [];
  const submission = deps.db.transaction().execute(async (tx) => {
    await lockPeering(tx, { asn, node: node.name });
    const submitted = JSON.stringify(request);
    const now = deps.clock();
    const unfinished = await findUnfinishedOfPeering(tx, asn, node.name);
    const before = await findDesired(tx, asn, node.name);
    const isSameKey = before !== null && hasSamePresharedKey(deps.sealer, update, before);
    if (unfinished && (unfinished.request !== submitted || !isSameKey)) throw deploymentRunningError(host);
    // A peering that the operator removed meanwhile is created again.
    // A form with the configuration of the last deployment that asks for another key is no repetition of it.
    const isOtherKey = update.preshared_key === generateKey && update.generation === before?.revision;
    const repeated =
      unfinished ??
      (isSameKey && !isOtherKey ? await findRepeatedTask(tx, asn, node.name, submitted, now) : null);
    if (repeated) return { task: repeated, isNew: false };
    if (excess) throw excess;

    await deps.assertMayDeploy(tx, asn);
    if (await hasConflict(tx, asn, node.name)) throw conflictError(host, "What you entered was not saved.");
    if (update.generation !== undefined && update.generation !== (before?.revision ?? 0)) {
      throw new HttpError(409, {
        message: `Your peering on ${host} has changed in the meantime, in another window or by another deployment. Nothing was deployed.`,
        field: "generation",
      });
    }
    const refusal = await findNodeRefusal(tx, node.name, { ...deps.profile, isNew: before === null });
    if (refusal) throw invalidValuesError([refusal]);
    await lockPublicKeys(tx, listKeys([request.publicKey, before?.peering.publicKey]));
    const taken = await findTakenByOthers(tx, node.name, request, inUse);
    const completed = completePeering(request, identity, taken, before?.peering.listenPort ?? null);
    // The request has been checked: an error of the key alone means that another AS uses it.
    if (!completed.ok) {
      unusable = completed.errors;
      throw invalidValuesError(
        completed.errors,
        completed.errors.every(({ field }) => field === "public_key") ? 409 : 422,
      );
    }
    const submittedKey = { asn, node: node.name, update, request };
    const presharedKey = sealPresharedKey(deps.sealer, submittedKey, before);
    const nodeKey = before ? before.peering.nodeKey : await readCurrentKey(tx, node.name);
    const peering = { ...completed.peering, presharedKey, nodeKey };
    const isKeyReplaced =
      update.preshared_key !== undefined && request.presharedKey === before?.request.presharedKey;
    const generation = await takeGeneration(tx, node.name);
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
    const added = await addTask(
      tx,
      { asn, node: node.name, generation, request, previous, waitMs: deps.waitMs },
      { now, retentionTime: deps.retentionClock() },
    );
    const event = {
      kind: before ? "peering-changed" : "peering-created",
      asn,
      node: node.name,
      task: added.id,
      before: before?.request ?? null,
      after: request,
      ...(presharedKey && isKeyReplaced && { detail: "The pre-shared key was replaced." }),
    } as const;
    await recordEvent(tx, event, origin, now);
    await publishTask(deps.events, tx, added);
    return { task: added, isNew: true };
  });
  const { task, isNew } = await submission.catch(async (error: unknown) => {
    // After the transaction, which is undone.
    await reportUsedValues(deps, { asn, node: node.name, values: request }, unusable);
    throw error;
  });
  if (isNew) for (const { limit, key } of counts) await limit.add(key);
  return presentTask(task);
}

export function changeCounts(
  limits: SubmissionDeps["rateLimits"],
  asn: string,
  node: string,
): readonly Count[] {
  const { changePerPeering, changePerAs, changePerAsAndDay } = limits;
  return [
    { limit: changePerPeering, key: peeringKey({ asn, node }) },
    { limit: changePerAs, key: asn },
    { limit: changePerAsAndDay, key: asn },
  ];
}

/** Who deletes a peering, and why if it is the operator. */
type DeletionEvent =
  | { readonly kind: "peering-deleted" }
  | { readonly kind: "peering-removed"; readonly detail?: string };

/**
 * Marks the peering for deletion and adds the task that removes it from the node. Repeating it during the deletion returns
 * the same task. Throws `HttpError` 404 without a peering, and 409 when another deployment is running.
 */
export async function deletePeering(
  deps: DeletionDeps,
  asn: string,
  node: string,
  origin: AuditOrigin,
  event: DeletionEvent = { kind: "peering-deleted" },
): Promise<Task> {
  const host = nodeHost(node, deps.profile.domain);
  const task = await deps.db.transaction().execute(async (tx) => {
    await lockPeering(tx, { asn, node });
    const unfinished = await findUnfinishedOfPeering(tx, asn, node);
    if (unfinished?.kind === "delete") return unfinished;
    if (unfinished) throw deploymentRunningError(host);
    // The server neither knows nor changes what a removed node runs.
    if ((await hasConflict(tx, asn, node)) && (await findNode(tx, node)) !== null)
      throw conflictError(host, "Nothing was changed.");
    const before = await findDesired(tx, asn, node);
    if (!before) throw peeringNotFoundError(asn, host);
    const generation = await takeGeneration(tx, node);
    await putDesired(tx, { ...before, generation, present: false });
    const previous = JSON.stringify(before);
    const now = deps.clock();
    const added = await addTask(
      tx,
      { asn, node, generation, request: null, previous, waitMs: deps.waitMs },
      { now, retentionTime: deps.retentionClock() },
    );
    await recordEvent(tx, { ...event, asn, node, task: added.id, before: before.request }, origin, now);
    await publishTask(deps.events, tx, added);
    return added;
  });
  return presentTask(task);
}

function listKeys(keys: ReadonlyArray<string | null | undefined>): readonly string[] {
  return keys.filter((key) => typeof key === "string");
}

export function peeringNotFoundError(asn: string, host: string): HttpError {
  return new HttpError(404, { message: `AS${asn} has no peering on ${host}.`, field: "node" });
}

/** The first error is also in `field` and `message`, for clients that know only those. */
function invalidValuesError(errors: readonly FieldError[], status: 409 | 422 = 422): HttpError {
  const [first] = errors;
  if (!first) throw new Error("a submit without an error was rejected");
  return new HttpError(status, { ...first, errors: [...errors] });
}

export function conflictError(host: string, effect: string): HttpError {
  return new HttpError(409, {
    message: joinSentences(describeToParticipant({ code: "peering-conflict", facts: { host } }), effect),
  });
}

export function deploymentRunningError(host: string): HttpError {
  return new HttpError(409, {
    message: `Another deployment of your peering on ${host} is running. Nothing was changed. Wait for it to finish, then try again.`,
  });
}
