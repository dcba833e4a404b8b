import type { AccountDeletion } from "#contract/call-tables/accounts/account-calls.ts";
import { nodeHost } from "#contract/node-host.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Db } from "#server/db/open.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { describeToParticipant } from "#domain/findings/findings.ts";
import {
  describeReason,
  describeRepeatedFailure,
  findTasksSince,
  findUnfinishedOfAs,
} from "../../peerings/deployment/task-store.ts";
import { findDesiredOfAs } from "../../peerings/desired-peerings.ts";
import { hasConflict } from "../../peerings/conflicts/peering-conflicts.ts";
import type { DeletionRow } from "./deletion-store.ts";

export type RemainingPeering = AccountDeletion["peerings"][number];

const minuteMs = 60_000;
/** The longest pause between two attempts. */
export const maxPauseMs = 6 * 3_600_000;

/** Lists the peerings that a deletion still has to remove, and when it may try each again. */
export async function findRemainingPeerings(
  { db, profile }: { readonly db: Db; readonly profile: Pick<Profile, "domain"> },
  { asn, started_at: startedAt }: DeletionRow,
): Promise<RemainingPeering[]> {
  const [peerings, unfinished, ended] = await Promise.all([
    findDesiredOfAs(db, asn),
    findUnfinishedOfAs(db, asn),
    findTasksSince(db, asn, startedAt),
  ]);
  const nodes = new Set([...peerings, ...unfinished].map(({ node }) => node));
  return Promise.all(
    [...nodes].toSorted().map(async (node): Promise<RemainingPeering> => {
      const task = unfinished.find((each) => each.node === node);
      if (task) return { node, taskID: task.id, reason: describeReason(task), next_attempt: null };
      if ((await hasConflict(db, asn, node)) && (await findNode(db, node)) !== null) {
        const host = nodeHost(node, profile.domain);
        const reason = describeToParticipant({ code: "peering-conflict", facts: { host } });
        return { node, taskID: null, reason, next_attempt: null };
      }
      const failed = ended.filter((each) => each.node === node && each.kind === "delete");
      const last = failed.at(-1);
      return {
        node,
        taskID: null,
        // The server tries again, not the participant.
        reason: last ? describeRepeatedFailure(last) : "",
        next_attempt: last ? (last.ended_at ?? 0) + pauseMs(failed.length) : startedAt,
      };
    }),
  );
}

/** A deletion as its participant sees it. */
export async function presentDeletion(
  context: { readonly db: Db; readonly profile: Pick<Profile, "domain"> },
  deletion: DeletionRow,
): Promise<AccountDeletion> {
  const { id, state, started_at: started } = deletion;
  const peerings = state === "running" ? await findRemainingPeerings(context, deletion) : [];
  return { id, state, started, peerings };
}

/** The pause after the n-th failed attempt, from 1: a minute, doubled each time up to six hours. */
function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, minuteMs * 2 ** (failures - 1));
}
