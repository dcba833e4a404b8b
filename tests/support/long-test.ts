import { test, type TestFunction, type TestOptions } from "vitest";
import { isInShareOfCommit } from "./share-of-commit.ts";

/**
 * A test that takes long and whose subject shorter tests of its file cover in part: it runs with a third of the commits, another
 * third for each name, and always with EVERY_CASE=1 in the environment. A file needs a test that always runs, too.
 */
export function longTest(name: string, run: TestFunction): void;
export function longTest(name: string, options: TestOptions, run: TestFunction): void;
export function longTest(name: string, ...rest: readonly unknown[]): void {
  if (isInShareOfCommit(name)) (test as (...all: readonly unknown[]) => void)(name, ...rest);
}
