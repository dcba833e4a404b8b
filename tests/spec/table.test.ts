/** Every row of every table has its test, and one alone: what vitest collects is held against the tables. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { commandScript, repository } from "../setup/repository.ts";
import { rowName } from "./rows.ts";
import type { Row } from "./table/row.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "table");

async function allRows(): Promise<Row[]> {
  const files = (await readdir(folder)).filter((file) => file !== "row.ts");
  const tables = await Promise.all(
    files.map(async (file) =>
      Object.values((await import(join(folder, file))) as Record<string, readonly Row[]>),
    ),
  );
  return tables.flat(2);
}

/** The names of all tests of this project, collected and not run. */
async function collectedTests(): Promise<string[]> {
  const { stdout } = await run(
    process.execPath,
    [await commandScript("vitest"), "list", "--project=spec", "--json", "--no-static-parse"],
    { cwd: repository, maxBuffer: 64 * 1024 * 1024 },
  );
  const listed = JSON.parse(stdout.slice(stdout.indexOf("["))) as ReadonlyArray<{ readonly name: string }>;
  return listed.map(({ name }) => name);
}

describe("the tables", () => {
  test("use every id once", async () => {
    const ids = (await allRows()).map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(200);
  });

  test("have a test for every row", async () => {
    const [rows, names] = await Promise.all([allRows(), collectedTests()]);
    const collected = new Set(names);
    expect(rows.map(rowName).filter((name) => !collected.has(name))).toEqual([]);
  });

  test("speak of every section", async () => {
    const sections = new Set((await allRows()).map(({ section }) => section));
    expect(sections).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });
});
