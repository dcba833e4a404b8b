import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { repository } from "../../support/repository.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { filesOfOtherCommits, rotatingFiles } from "./rotating-files.ts";
import { allSteps } from "./steps.ts";

afterEach(() => vi.unstubAllEnvs());

test.each(Object.entries(rotatingFiles))(
  "one file of each group of %s runs with a commit",
  (step, groups) => {
    const files = groups.flat();
    expect(allSteps).toContainEqual(expect.objectContaining({ kind: "tests", name: step }));
    const texts = files.map((file) => readFileSync(path.join(repository, file), "utf8"));
    expect(files.filter((_, index) => texts[index]?.includes("longTest"))).toEqual([]);
    vi.stubEnv("EVERY_CASE", "0");
    expect(filesOfOtherCommits(step)).toHaveLength(files.length - groups.length);
  },
);

test("all files run with EVERY_CASE=1", () => {
  vi.stubEnv("EVERY_CASE", "1");
  expect(Object.keys(rotatingFiles).flatMap(filesOfOtherCommits)).toEqual([]);
});

test("which file of a group runs does not decide which case of it runs", () => {
  vi.stubEnv("EVERY_CASE", "0");
  const [chosenCase] = oneOfCommit([0, 1]);
  const groups = Array.from({ length: 32 }, (_, index) => oneOfCommit([0, 1], `group ${index}`)[0]);
  expect(groups).toContain(chosenCase);
  expect(groups).toContain(1 - (chosenCase ?? 0));
});
