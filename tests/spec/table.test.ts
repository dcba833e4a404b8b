/** Every table has its tests, in jsdom or in a browser. That a table's tests name its rows, the compiler checks. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nameRows, type Rows } from "./table/row.ts";

async function filesOf(folder: string, ending: string): Promise<readonly string[]> {
  const files = await readdir(join(import.meta.dirname, folder));
  return files.filter((file) => file.endsWith(ending) && file !== "row.ts").toSorted();
}

test("every table has a file of tests, and the tables use every id once and contain every section", async () => {
  const rows: string[] = [];
  for (const [tables, tests] of [
    ["table", "jsdom"],
    ["table/browser", "browser"],
  ] as const) {
    const names = await filesOf(tables, ".ts");
    const testNames = await filesOf(tests, ".test.ts");
    expect(testNames).toEqual(names.map((name) => name.replace(/\.ts$/, ".test.ts")));
    for (const name of names) {
      const path = join(import.meta.dirname, tables, name);
      const module = (await import(path)) as Readonly<Record<string, Rows>>;
      rows.push(...Object.values(module).flatMap((table) => nameRows(table).map(([row]) => row)));
    }
  }
  const ids = rows.map((row) => /\[(.+?)\]/.exec(row)?.[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const sections = new Set(rows.map((row) => /section ([0-9])/.exec(row)?.[1]));
  expect(sections).toEqual(new Set(["1", "2", "3", "4", "5", "6", "7", "8", "9"]));
});
