/** Every row of every table has one test, in the project that its mark says. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { needsBrowser, type Row } from "./table/row.ts";

type Tests = Readonly<Record<string, unknown>>;

const { tested } = vi.hoisted(() => ({
  tested: { jsdom: [] as string[], browser: [] as string[] },
}));

// The test files are imported to collect the ids of their tests; none of the tests runs here.
vi.mock(import("./jsdom/rows.ts"), () => ({
  testRows: (_: readonly Row[], tests: Tests) => void tested.jsdom.push(...Object.keys(tests)),
}));
vi.mock(import("./browser/rows.ts"), () => ({
  testRows: (_: readonly Row[], tests: Tests) => void tested.browser.push(...Object.keys(tests)),
}));

async function importAll(folder: string, ending: string): Promise<ReadonlyArray<Record<string, unknown>>> {
  const path = join(import.meta.dirname, folder);
  const files = (await readdir(path)).filter((file) => file.endsWith(ending) && file !== "row.ts");
  return Promise.all(files.map(async (file) => (await import(join(path, file))) as Record<string, unknown>));
}

async function allRows(): Promise<Row[]> {
  const tables = await importAll("table", ".ts");
  return tables.flatMap((table) => Object.values(table) as Row[][]).flat();
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted();

describe("the tables", () => {
  test("use every id once", async () => {
    const ids = idsOf(await allRows());
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.length).toBeGreaterThan(100);
  });

  test("have one test for every row, in a browser where the row says so, and in jsdom otherwise", async () => {
    await importAll("jsdom", ".test.ts");
    await importAll("browser", ".test.ts");
    const rows = await allRows();
    expect(tested.jsdom.toSorted()).toEqual(idsOf(rows.filter((row) => !needsBrowser(row))));
    expect(tested.browser.toSorted()).toEqual(idsOf(rows.filter(needsBrowser)));
  });

  test("contain every section", async () => {
    const sections = new Set((await allRows()).map(({ section }) => section));
    expect(sections).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });
});
