import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { importedFiles, sourceFiles, specifiersOf } from "../tools/structure/source-files.ts";

/** What the top level may hold besides dotfiles and what `.gitignore` names. */
const topLevel = new Set([
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "docs",
  "index.html",
  "manifest.webmanifest",
  "package-lock.json",
  "package.json",
  "public",
  "src",
  "tests",
  "tsconfig.json",
  "vite.config.ts",
]);

const catchAll = /^(utils?|helpers?|common|misc)$/i;
const files = await sourceFiles("src", "tests");
const entries = await readdir(path.join(repository, "src"), { withFileTypes: true });
const sources = files.filter(({ name }) => name.startsWith("src/"));

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(path.join(repository, name), "utf8")) as T;
}

test("the files are read", () => {
  expect(sources.map(({ name }) => name)).toContain("src/domain/asn.ts");
  expect(specifiersOf('import { a } from "./a.ts";\nexport type { B } from "#domain/b.ts";')).toEqual([
    "./a.ts",
    "#domain/b.ts",
  ]);
  const text =
    'import "../c.css?inline";\nimport { e } from "#tests/e.ts";\nconst d = () => import("#web/d.tsx");';
  expect(importedFiles({ name: "src/web/ui/a.ts", text })).toEqual([
    "src/web/c.css",
    "tests/e.ts",
    "src/web/d.tsx",
  ]);
});

test("the top level holds what convention puts there and nothing else", async () => {
  const patterns = (await readFile(path.join(repository, ".gitignore"), "utf8")).split("\n");
  const ignored = new Set(patterns.map((pattern) => pattern.replaceAll("/", "")));
  const names = (await readdir(repository)).filter((name) => !name.startsWith(".") && !ignored.has(name));
  expect(names.filter((name) => !topLevel.has(name))).toEqual([]);
});

test("every program is a TypeScript project that the top one references; files beside them are the demo's", async () => {
  const { references } = await readJson<{ references: ReadonlyArray<{ path: string }> }>("tsconfig.json");
  const programs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `src/${name}`);
  expect(references.map((reference) => reference.path).toSorted()).toEqual([...programs, "tests"].toSorted());
  const demo = await readJson<{ include: readonly string[] }>("src/demo/tsconfig.json");
  const loose = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  // TypeScript does not read the launcher, which is plain JavaScript.
  const known = new Set([...demo.include, "../launch.cjs"]);
  expect(loose.filter((name) => !known.has(`../${name}`))).toEqual([]);
});

test("no folder and no file is a catch-all", () => {
  const parts = files.flatMap(({ name }) =>
    name.split("/").map((part) => ({ name, part: part.replace(/\..*$/, "") })),
  );
  expect(parts.filter(({ part }) => catchAll.test(part))).toEqual([]);
});

test("files are named in kebab case, routes as their router wants them", () => {
  const named = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d|lazy))?\.tsx?$/;
  const odd = files.filter(
    ({ name }) => !name.startsWith("src/web/routes/") && !named.test(path.posix.basename(name)),
  );
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test("there are no barrel files", () => {
  const barrels = files.filter(
    ({ name }) => /\/index\.tsx?$/.test(name) && !name.startsWith("src/web/routes/"),
  );
  expect(barrels.map(({ name }) => name)).toEqual([]);
});

test("every import of a source file leads to a file in src", () => {
  const broken = sources.flatMap((file) =>
    importedFiles(file)
      .filter((target) => !target.startsWith("src/") || !existsSync(path.join(repository, target)))
      .map((target) => `${file.name} imports ${target}`),
  );
  expect(broken).toEqual([]);
});

test("no import climbs three folders: it begins with the name of a room", () => {
  const climbing = files.flatMap(({ name, text }) =>
    specifiersOf(text)
      .filter((specifier) => specifier.startsWith("../../../"))
      .map((specifier) => `${name} imports ${specifier}`),
  );
  expect(climbing).toEqual([]);
});

test("the package's imports are the rooms of src, and the tests", async () => {
  const { imports } = await readJson<{ imports: Readonly<Record<string, string>> }>("package.json");
  const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const expected = rooms.map((room) => [`#${room}/*`, `./src/${room}/*`]);
  expect(imports).toEqual(Object.fromEntries([...expected, ["#tests/*", "./tests/*"]]));
});

test("every path that a document names exists", async () => {
  const documents = (await readdir(repository, { recursive: true })).filter((name) =>
    /^(?!node_modules|build|data)[^/]*\.md$|^docs\/.*\.md$/.test(name),
  );
  const broken = await Promise.all(
    documents.map(async (name) => {
      const text = await readFile(path.join(repository, name), "utf8");
      // Paths from the top level, as `src/domain/asn.ts` or src/web/features; those with a pattern in them are left out.
      const paths = Array.from(
        text.matchAll(/(?<![\w/.-])(?:src|tests|docs|public)\/[\w$./-]*\w(?![\w*{<…])/g),
        ([found]) => found,
      );
      return paths
        .filter((found) => !existsSync(path.join(repository, found)))
        .map((found) => `${name}: ${found}`);
    }),
  );
  expect(broken.flat()).toEqual([]);
});
