/** What the participant reads of a task that waits, or that did not succeed. */
import type { Task } from "../../contract/entities.ts";
import { explainFinding, type Finding, type FindingCode, joinSentences, participantFix } from "./findings.ts";

export interface ReasonContext {
  readonly status: Task["status"];
  readonly kind: Task["kind"];
  /** Whether the node ran no peering before. */
  readonly isNew: boolean;
  /** How often the node was called, as the last step says. */
  readonly attempts: number;
}

/** What happened, what was kept, and what to do next. */
export function describeTaskReason(finding: Finding, task: ReasonContext): string {
  const isOperatorAtWork = finding.code === "node-busy" || finding.code === "node-upgrading";
  if (task.status === "waiting") {
    const next = isOperatorAtWork ? "Your change waits until that is done." : "Trying again…";
    return joinSentences(explainFinding(finding), next);
  }
  const fix = isOperatorAtWork ? "Try again when that is done." : participantFix(finding);
  return joinSentences(describeFailure(finding, task), fix);
}

/** What happened and what was kept, for a task that the server repeats by itself. */
export function describeFailure(finding: Finding, task: ReasonContext): string {
  const kept = conflicts.has(finding.code) ? "Nothing was changed on the node." : describeKept(task);
  const { attempts } = task;
  // The steps have the number of the last attempt.
  const calls =
    finding.code === "node-not-reached" && attempts > 1 ? `The server called it ${attempts} times.` : "";
  return joinSentences(explainFinding(finding), calls, kept);
}

/** The database does not know what the node runs, so `describeKept` would be wrong. */
const conflicts: ReadonlySet<FindingCode> = new Set([
  "peering-conflict",
  "other-database",
  "version-unknown",
  "generation-differs",
]);

function describeKept({ status, kind, isNew }: ReasonContext): string {
  if (kind === "delete") return "The peering was kept.";
  if (isNew) return "Nothing was deployed.";
  return status === "error"
    ? "The previous configuration was kept."
    : "The previous configuration is still active.";
}
