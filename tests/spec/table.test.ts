/** Every table has its tests, in jsdom or in a browser. That a table's tests name its rows, the compiler checks. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rows } from "./table/row.ts";

type Module = Readonly<Record<string, Rows>>;

const here = (...path: readonly string[]) => join(import.meta.dirname, ...path);

async function filesOf(folder: string, ending: string): Promise<readonly string[]> {
  const files = (await readdir(here(folder))).filter((file) => file.endsWith(ending) && file !== "row.ts");
  return files.map((file) => file.slice(0, -ending.length)).toSorted();
}

async function rowsOf(folder: string) {
  const names = await filesOf(folder, ".ts");
  const modules = await Promise.all(
    names.map((name) => import(here(folder, `${name}.ts`)) as Promise<Module>),
  );
  return modules.flatMap((module) => Object.values(module).flatMap((rows) => Object.entries(rows)));
}

test("every table has a file of tests, and every file of tests a table", async () => {
  expect(await filesOf("jsdom", ".test.ts")).toEqual(await filesOf("table", ".ts"));
  expect(await filesOf("browser", ".test.ts")).toEqual(await filesOf("table/browser", ".ts"));
});

test("the tables use every id once, and contain every section", async () => {
  const rows = [...(await rowsOf("table")), ...(await rowsOf("table/browser"))];
  const ids = rows.map(([id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(new Set(rows.map(([, { section }]) => section))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
});
