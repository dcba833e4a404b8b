import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import { leftOutVariable } from "./left-out-files.ts";
import { filesToRepeat, runStep } from "./run-step.ts";

/** Each file counts its runs by the octets of another file. */
const files: Readonly<Record<string, string>> = {
  "vitest.config.mjs": `const exclude = (process.env.${leftOutVariable} ?? "").split(",");
    export default {
      test: { projects: [{ test: { name: "planted", globals: true, include: ["*.test.mjs"], exclude } }] },
    };`,
  "once.test.mjs": `import { appendFileSync, readFileSync } from "node:fs";
    appendFileSync("once.runs", "x");
    test("fails once", () => expect(readFileSync("once.runs", "utf8")).toBe("xx"));`,
  "always.test.mjs": `import { appendFileSync } from "node:fs";
    appendFileSync("always.runs", "x");
    test("always fails", () => expect("always").toBe("never"));`,
  "never.test.mjs": `import { appendFileSync } from "node:fs";
    appendFileSync("never.runs", "x");
    test("never fails", () => {});`,
};

let folder = "";
beforeEach(async () => {
  folder = await realpath(await createFolder());
  await writeFiles(folder, files);
});

const step = { kind: "tests", name: "planted", needs: [], canRepeat: true, leftOut: [] } as const;
const runs = () =>
  Promise.all(["once", "always", "never"].map((name) => readFile(path.join(folder, `${name}.runs`), "utf8")));

test("repeats the failed files of a step once, and reports a test that passes then as flaky", async () => {
  const { passed, failed, note, flaky } = await runStep(step, folder);
  const error = ["  AssertionError: expected 'x' to be 'xx' // Object.is equality"];
  expect({ passed, failed, flaky }).toEqual({
    passed: 2,
    failed: 1,
    flaky: [{ file: "planted: once.test.mjs", name: "fails once", error }],
  });
  const lines = ["2 files repeated", "     always.test.mjs", "       always fails"];
  expect(note.split("\n").slice(0, 3)).toEqual(lines);
  expect(await runs()).toEqual(["xx", "xx", "x"]);
});

test("runs no file that is left out", async () => {
  expect(await runStep({ ...step, leftOut: ["once.test.mjs"] }, folder)).toMatchObject({
    passed: 1,
    failed: 1,
  });
});

test("repeats nothing after an error outside of the tests", async () => {
  const text =
    'Promise.reject(new Error("outside")); test("passes", () => new Promise((done) => setTimeout(done, 50)));';
  await writeFiles(folder, { "outside.test.mjs": text });
  expect(await runStep(step, folder)).toMatchObject({ passed: 2, failed: 2, flaky: [] });
  expect(await runs()).toEqual(["x", "x", "x"]);
});

test.each([
  [true, 0, []],
  [true, 5, ["0", "1", "2", "3", "4"]],
  [true, 6, []],
  [false, 1, []],
])("if a step can repeat files is %s, of %i failed ones it repeats %j", (canRepeat, count, repeated) => {
  const testResults = Array.from({ length: count }, (_, name) => {
    return { name: String(name), status: "failed", assertionResults: [] };
  });
  const run = { report: { testResults }, code: 1, hasOutsideError: false };
  expect(filesToRepeat({ canRepeat }, run)).toEqual(repeated);
});
