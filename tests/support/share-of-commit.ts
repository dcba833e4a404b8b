import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { repository } from "./repository.ts";

/** One of so many cases runs with each commit. */
const casesPerCommit = 3;

/**
 * A third of a test's cases, or one of `casesPerRun`, rounded up: others with each commit, and the last case. All of them with
 * EVERY_CASE=1 in the environment.
 */
export function shareOfCommit<T>(cases: readonly T[], casesPerRun = casesPerCommit): readonly T[] {
  if (isEveryCase()) return cases;
  const offset = Number.parseInt(readCommit().slice(0, 8), 16) % casesPerRun;
  return cases.filter((_, index) => index % casesPerRun === offset || index === cases.length - 1);
}

/**
 * One of a test's cases: another one with each commit. All of them with EVERY_CASE=1 in the environment.
 *
 * @param name of a choice that does not depend on the others: one of two files that each have two cases must not always run
 *   with the same case.
 */
export function oneOfCommit<T>(cases: readonly T[], name?: string): readonly T[] {
  if (isEveryCase()) return cases;
  const number = name === undefined ? Number.parseInt(readCommit().slice(0, 8), 16) : hashOfCommit(name);
  const chosen = number % cases.length;
  return cases.slice(chosen, chosen + 1);
}

/** Whether the case of this name is one of the third that runs with this commit. Always true with EVERY_CASE=1 in the environment. */
export function isInShareOfCommit(name: string): boolean {
  return isEveryCase() || hashOfCommit(name) % casesPerCommit === 0;
}

function hashOfCommit(name: string): number {
  return createHash("sha256").update(readCommit()).update(name).digest().readUInt32BE();
}

/** A share of the numbers from 1, for steps that are killed until there is none with this number. */
export function shareOfNumbers(): readonly number[] {
  return shareOfCommit(Array.from({ length: 100 }, (_, index) => index + 1));
}

/** Whether a run has all cases, as a campaign does. */
export function isEveryCase(): boolean {
  return process.env["EVERY_CASE"] === "1";
}

let commit: string | undefined;

function readCommit(): string {
  commit ??= execFileSync("git", ["rev-parse", "HEAD"], { cwd: repository, encoding: "utf8" });
  return commit;
}
