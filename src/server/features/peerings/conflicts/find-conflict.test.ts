import { expect, test } from "vitest";
import { type AppliedVersion, type ConflictReason, findConflict } from "./find-conflict.ts";

const desired = { generation: 10, present: true };

const applied = (generation: number, changes: Partial<AppliedVersion> = {}): AppliedVersion => ({
  asn: "4242420001",
  generation,
  present: true,
  database: "own",
  ...changes,
});
const deleted = (generation: number, database = "own") => applied(generation, { present: false, database });
const other = (generation: number) => applied(generation, { database: "other" });

test.each<[string, AppliedVersion, typeof desired | undefined, ConflictReason | null]>([
  ["the same version", applied(10), desired, null],
  ["a newer version", applied(11), desired, "outdated"],
  ["an older version that no task deployed", applied(9), desired, "outdated"],
  ["the same version of another database", other(10), desired, "outdated"],
  ["a peering that the database does not have", applied(3), undefined, "missing"],
  ["one of another database", other(3), undefined, "missing"],
  ["a deletion that the database does not know", deleted(11), desired, "deleted"],
  ["a deletion with the generation of the peering", deleted(10), desired, "deleted"],
  ["a deletion before the peering was created again", deleted(9), desired, null],
  ["such a deletion by another database", deleted(9, "other"), desired, null],
  ["a deleted peering that the database does not have", deleted(99), undefined, null],
])("%s", (_name, version, known, conflict) => {
  expect(findConflict(version, known, { identity: "own", isFromTask: false })).toBe(conflict);
});

test.each<[string, AppliedVersion, typeof desired | undefined, ConflictReason | null]>([
  ["an older version", applied(9), desired, null],
  ["a newer version", applied(11), desired, null],
  ["a peering that the database no longer has", applied(3), undefined, null],
  ["a version of another database", other(3), undefined, "missing"],
  ["a deletion", deleted(11), desired, null],
])("%s, deployed by a task of this database", (_name, version, known, conflict) => {
  expect(findConflict(version, known, { identity: "own", isFromTask: true })).toBe(conflict);
});
