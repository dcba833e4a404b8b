/** The changes of sessions as rows of Activity: one for each time that a session was unstable. */
import { maxSessionChanges, type SessionChange } from "#contract/history.ts";
import { formatDate } from "../../ui/text/format-time.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";

export interface SessionRow {
  readonly id: string;
  /** When the session changed last, in milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** A session whose changes are closer together than this is unstable: its changes are one row. */
const quietMs = 3_600_000;

/** @param hostOf returns the name that people read for a node */
export function listSessionRows(
  changes: readonly SessionChange[],
  hostOf: (node: string) => string,
): readonly SessionRow[] {
  const sorted = changes.toSorted((a, b) => a.at - b.at);
  // Beyond the most that a response has, the oldest row may have had more.
  const cutAt = changes.length < maxSessionChanges ? null : sorted[0];
  return groupChanges(sorted).map((group) => {
    const [first, last] = [group.at(0), group.at(-1)];
    const { node = "", families = [], at = 0 } = last ?? {};
    const name = `The ${families.join(" and ")} session on ${hostOf(node)}`;
    return {
      id: `${node} ${families.join()} ${at}`,
      at,
      text: `${name} ${describeChanges(group, first !== undefined && first === cutAt)}.`,
    };
  });
}

/** Groups the changes of each session on a day that follow one another without a quiet time. */
function groupChanges(sorted: readonly SessionChange[]): ReadonlyArray<readonly SessionChange[]> {
  const groups: SessionChange[][] = [];
  const open = new Map<string, SessionChange[]>();
  for (const change of sorted) {
    const session = `${change.node} ${change.families.join()}`;
    const group = open.get(session);
    const previous = group?.at(-1);
    if (group && previous && isTogether(previous.at, change.at)) {
      group.push(change);
      continue;
    }
    const started = [change];
    groups.push(started);
    open.set(session, started);
  }
  return groups;
}

function isTogether(before: number, after: number): boolean {
  return after - before < quietMs && formatDate(before) === formatDate(after);
}

function describeChanges(group: readonly SessionChange[], isCut: boolean): string {
  const ends = group.filter(({ up }) => !up);
  const [first, last, firstEnd] = [group[0], group.at(-1), ends[0]];
  if (!first || !last || !firstEnd) return "became Established";
  if (ends.length > 1 || isCut) {
    const count = `${isCut ? "at least " : ""}${ends.length === 1 ? "once" : `${ends.length} times`}`;
    const range = `${formatTimeOfDay(firstEnd.at)} to ${formatTimeOfDay(last.at)}`;
    return `ended ${count}, ${range}${last.up ? "" : ", and stayed down"}`;
  }
  if (last.up) return `ended at ${formatTimeOfDay(firstEnd.at)} and was Established again`;
  return first.up ? `became Established at ${formatTimeOfDay(first.at)} and ended` : "ended";
}
