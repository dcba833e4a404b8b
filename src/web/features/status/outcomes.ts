import type { ObservedSpan } from "../../../contract/entities.ts";

/** What a stretch of time is called after: the worst that was found in it. */
export type Outcome = "OK" | "Issues" | "Down in part" | "Down" | "No data";

export function observationsIn({ ok, issues, down }: ObservedSpan): number {
  return ok + issues + down;
}

export function outcomeOf(span: ObservedSpan): Outcome {
  const all = observationsIn(span);
  if (all === 0) return "No data";
  if (span.down > 0) return span.down === all ? "Down" : "Down in part";
  return span.issues > 0 ? "Issues" : "OK";
}

/** Counts as people write them: "1,440". */
export const countFormat = new Intl.NumberFormat("en-GB");

/** The outcome and what it rests on: "Down in part (2 of 15 observations)". */
export function describeOutcome(span: ObservedSpan): string {
  const all = observationsIn(span);
  const outcome = outcomeOf(span);
  if (outcome === "No data") return "No data (nobody looked)";
  const worst = span.down > 0 ? span.down : span.issues > 0 ? span.issues : all;
  const counted = `${countFormat.format(all)} observation${all === 1 ? "" : "s"}`;
  return `${outcome} (${worst === all ? counted : `${countFormat.format(worst)} of ${counted}`})`;
}

export interface Uptime {
  /** The part of the observations that found the node up, with issues or without; null where there are none. */
  readonly up: number | null;
  /** The part of the stretches in which somebody looked at all. */
  readonly observed: number;
}

export function uptimeOf(spans: readonly ObservedSpan[]): Uptime {
  const observed = spans.filter((span) => observationsIn(span) > 0);
  const all = observed.reduce((sum, span) => sum + observationsIn(span), 0);
  const down = observed.reduce((sum, span) => sum + span.down, 0);
  return { up: all === 0 ? null : (all - down) / all, observed: observed.length / spans.length };
}

/** Rounded down, so that only what is whole is called 100 %. */
export function percent(part: number, decimals = 0): string {
  const steps = 100 * 10 ** decimals;
  // A part such as 0.29 times 100 falls short of 29 by a rounding of binary fractions.
  const whole = Math.floor(part * steps + 1e-9);
  return `${part > 0 && whole === 0 ? `less than ${1 / (steps / 100)}` : whole / (steps / 100)}\u00A0%`;
}

/** Stretches of the same outcome that follow each other, as one. */
export interface Run extends ObservedSpan {
  /** When it ends, milliseconds since 1970. */
  readonly to: number;
  readonly outcome: Outcome;
}

/** @param lengthMs of each stretch */
export function runsOf(spans: readonly ObservedSpan[], lengthMs: number): Run[] {
  const runs: Run[] = [];
  for (const span of spans) {
    const outcome = outcomeOf(span);
    const last = runs.at(-1);
    const to = span.from + lengthMs;
    if (last?.outcome !== outcome) {
      runs.push({ ...span, to, outcome });
      continue;
    }
    runs[runs.length - 1] = {
      ...last,
      to,
      ok: last.ok + span.ok,
      issues: last.issues + span.issues,
      down: last.down + span.down,
    };
  }
  return runs;
}
