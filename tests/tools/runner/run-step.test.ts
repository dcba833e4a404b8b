import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runStep } from "./run-step.ts";

/** Each file counts its runs by the octets of another file. */
const files: Readonly<Record<string, string>> = {
  "vitest.config.mjs": `export default {
    test: { projects: [{ test: { name: "planted", globals: true, include: ["*.test.mjs"] } }] },
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
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "peerdeck-flaky-")));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const runs = (name: string) => readFile(path.join(folder, `${name}.runs`), "utf8");

test("repeats the failed files of a step once, and reports a test that passes then as flaky", async () => {
  const step = { kind: "tests", name: "planted", needs: [], canRepeat: true } as const;
  const { passed, failed, note, flaky } = await runStep(step, folder);
  expect({ passed, failed, flaky }).toEqual({
    passed: 2,
    failed: 1,
    flaky: [
      {
        step: "planted",
        file: "once.test.mjs",
        name: "fails once",
        error: ["  AssertionError: expected 'x' to be 'xx' // Object.is equality"],
      },
    ],
  });
  expect(note.split("\n").slice(0, 3)).toEqual([
    "2 files repeated",
    "     always.test.mjs",
    "       always fails",
  ]);
  expect([await runs("once"), await runs("always"), await runs("never")]).toEqual(["xx", "xx", "x"]);
});

test("repeats nothing if more than five files fail", async () => {
  for (const number of [1, 2, 3, 4])
    await writeFile(path.join(folder, `${number}.test.mjs`), 'test("fails", () => expect(1).toBe(2));');
  const step = { kind: "tests", name: "planted", needs: [], canRepeat: true } as const;
  expect(await runStep(step, folder)).toMatchObject({ passed: 1, failed: 6, flaky: [] });
  expect([await runs("once"), await runs("always")]).toEqual(["x", "x"]);
});

test("repeats nothing after an error outside of the tests", async () => {
  const text =
    'Promise.reject(new Error("outside")); test("passes", () => new Promise((done) => setTimeout(done, 50)));';
  await writeFile(path.join(folder, "outside.test.mjs"), text);
  const step = { kind: "tests", name: "planted", needs: [], canRepeat: true } as const;
  expect(await runStep(step, folder)).toMatchObject({ passed: 2, failed: 2, flaky: [] });
  expect(await runs("once")).toBe("x");
});

test("repeats nothing of other steps", async () => {
  const step = { kind: "tests", name: "planted", needs: [], canRepeat: false } as const;
  expect(await runStep(step, folder)).toMatchObject({ passed: 1, failed: 2, flaky: [] });
  expect([await runs("once"), await runs("always"), await runs("never")]).toEqual(["x", "x", "x"]);
});
