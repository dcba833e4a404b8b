import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { importCycles, importGraph } from "../tools/structure/import-graph.ts";
import { measureStructure } from "../tools/structure/measure.ts";

const longestFile = 300;
const mostFilesInFolder = 15;

const { productFiles, folders, imports, cycles } = await measureStructure();

/** The room of a file: a folder of a program, or a feature; the program itself for files directly in it. */
function roomOf(file: string): string {
  const folder = path.posix.dirname(file).split("/");
  return folder.slice(0, folder[2] === "features" ? 4 : 3).join("/");
}

test("the product's files are measured", () => {
  expect(productFiles.length).toBeGreaterThan(100);
  expect(imports.get("src/server/provider-server.ts")).toContain("src/server/start.ts");
});

test(`no product file is longer than ${longestFile} lines`, () => {
  expect(productFiles.filter(({ lines }) => lines > longestFile)).toEqual([]);
});

test(`no folder has more than ${mostFilesInFolder} product files`, () => {
  expect(folders.filter(({ files }) => files > mostFilesInFolder)).toEqual([]);
});

test("no product files import each other in a circle, by types alone included", () => {
  expect(cycles).toEqual([]);
});

test("no rooms import each other in a circle", () => {
  const rooms = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [roomOf(file), roomOf(target)];
      const isInside = from === to || from.startsWith(`${to}/`) || to.startsWith(`${from}/`);
      if (!isInside) rooms.set(from, (rooms.get(from) ?? new Set()).add(to));
    }
  }
  expect(importCycles(new Map(Array.from(rooms, ([room, targets]) => [room, [...targets]])))).toEqual([]);
});

test("no product file creates an object of Intl when it is imported: the first one takes 40 to 90 ms", async () => {
  const files = await Promise.all(productFiles.map(async ({ name }) => [name, await read(name)] as const));
  const early = files.filter(([, text]) => /^(?:export )?(?:const|let) [^=\n]*= new Intl\./m.test(text));
  expect(early.map(([name]) => name)).toEqual([]);
});

function read(name: string): Promise<string> {
  return readFile(path.join(repository, name), "utf8");
}

test("README, TypeScript's projects and the linter's walls name the same rooms", async () => {
  const readme = Array.from((await read("README.md")).matchAll(/^(src\/[\w-]+) /gm), ([, name = ""]) => name);
  const { references } = JSON.parse(await read("tsconfig.json")) as {
    references: ReadonlyArray<{ path: string }>;
  };
  const projects = references.map((reference) => reference.path).filter((name) => name !== "tests");
  expect(new Set(readme)).toEqual(new Set(projects));

  const { settings } = JSON.parse(await read(".oxlintrc.json")) as {
    settings: { "boundaries/elements": ReadonlyArray<{ readonly pattern: string | readonly string[] }> };
  };
  const walls = new Set(
    settings["boundaries/elements"]
      .flatMap(({ pattern }) => pattern)
      .map((pattern) => pattern.replace(/\/\*$/, "").replace(/\/features\/.*$/, "/features")),
  );
  expect(projects.filter((name) => !walls.has(name))).toEqual([]);
  const rooms = folders.map(({ name }) => name.split("/").slice(0, 3).join("/"));
  expect(rooms.filter((name) => /^src\/(server|web)\//.test(name) && !walls.has(name))).toEqual([]);
});

test.each([
  ["none", "ab bc", []],
  ["two files", "ab ba", [["a.ts", "b.ts"]]],
  ["a longer way round, beside a file that only imports it", "da ab bc ca", [["a.ts", "b.ts", "c.ts"]]],
  ["a file that imports itself", "aa", [["a.ts"]]],
])("import cycles are found: %s", (_, pairs, expected) => {
  const files = pairs.split(" ").map(([from, to]) => ({ name: `${from}.ts`, text: `import "./${to}.ts";` }));
  expect(importCycles(importGraph([{ name: "c.ts", text: "" }, ...files]))).toEqual(expected);
});

test("every npm script starts with the launcher, which finds the project's Node.js", async () => {
  const { scripts } = JSON.parse(await read("package.json")) as { scripts: Readonly<Record<string, string>> };
  // It runs before the tests, because the project's Node.js may not run yet.
  const { pretest, ...others } = scripts;
  expect(pretest).toBe("node tests/tools/runner/install-libatomic.cjs");
  const programs = Object.values(others).map(
    (script) => /^(?:exec )?node src\/launch\.cjs (?:--\S+ )?(\S+)/.exec(script)?.[1] ?? script,
  );
  expect(
    programs.filter(
      (program) => !program.startsWith("build/programs/") && !existsSync(path.join(repository, program)),
    ),
  ).toEqual([]);
});
