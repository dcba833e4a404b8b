/** Every row of every table has its test, and one alone. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Row } from "./table/row.ts";

const { tested } = vi.hoisted(() => ({ tested: [] as Array<readonly [Row, unknown]> }));

// The files of tests are imported to be asked which rows they test; none of them runs here.
vi.mock(import("./rows.ts"), async (original) => ({
  ...(await original()),
  testRows: (rows: readonly Row[], tests: Readonly<Record<string, unknown>>) => {
    tested.push(...rows.map((row) => [row, tests[row.id]] as const));
  },
}));

async function importAll(folder: string, ending: string): Promise<ReadonlyArray<Record<string, unknown>>> {
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith(ending) && file !== "table.test.ts" && file !== "row.ts",
  );
  return Promise.all(
    files.map(async (file) => (await import(join(folder, file))) as Record<string, unknown>),
  );
}

async function allRows(): Promise<Row[]> {
  const tables = await importAll(join(import.meta.dirname, "table"), ".ts");
  return tables.flatMap((table) => Object.values(table) as Row[][]).flat();
}

describe("the tables", () => {
  test("use every id once", async () => {
    const ids = (await allRows()).map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(200);
  });

  test("have a test for every row", async () => {
    await importAll(import.meta.dirname, ".test.ts");
    const withTest = tested.filter(([, tests]) => typeof tests === "function").map(([{ id }]) => id);
    const ids = (await allRows()).map(({ id }) => id);
    expect(withTest.toSorted()).toEqual(ids.toSorted());
  });

  test("speak of every section", async () => {
    const sections = new Set((await allRows()).map(({ section }) => section));
    expect(sections).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });
});
