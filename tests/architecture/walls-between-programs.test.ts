import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTree, type Outcome, type TreeCopy } from "./tree-copy.ts";

/** The programs that each program may import. TypeScript's project references enforce it. */
const mayImport = {
  contract: [],
  domain: ["contract"],
  system: [],
  mtls: ["contract", "system"],
  "browser-storage": ["contract"],
  sw: ["contract", "browser-storage"],
  mocks: ["contract", "domain"],
  web: ["contract", "domain", "browser-storage"],
  agent: ["contract", "domain", "mtls", "system"],
  server: ["contract", "domain", "mtls", "system"],
  lab: ["contract", "domain", "mtls", "system"],
  demo: ["contract", "domain", "mtls", "system", "agent", "server"],
} as const;
type Program = keyof typeof mayImport;
const programs = Object.keys(mayImport) as Program[];

const pairs = programs.flatMap((from) =>
  programs
    .filter((to) => to !== from)
    .map((to) => ({ from, to, allowed: (mayImport[from] as readonly Program[]).includes(to) })),
);
const allowedPairs = pairs.filter(({ allowed }) => allowed);
const forbiddenPairs = pairs.filter(({ allowed }) => !allowed);

/** Globals of other platforms, which must not exist for a program. */
const foreignNames: ReadonlyArray<readonly [Program, string]> = [
  ["contract", "process"],
  ["contract", "document"],
  ["contract", "fetch"],
  ["domain", "process"],
  ["domain", "document"],
  ["domain", "fetch"],
  ["domain", "setTimeout"],
  ["mtls", "document"],
  ["system", "document"],
  ["browser-storage", "process"],
  ["browser-storage", "document"],
  ["sw", "process"],
  ["sw", "document"],
  ["mocks", "process"],
  ["web", "process"],
  ["web", "Buffer"],
  ["agent", "window"],
  ["agent", "document"],
  ["server", "window"],
  ["server", "document"],
  ["lab", "document"],
  ["demo", "document"],
];

const targetFile = (program: Program) => `src/${program}/planted-target.ts`;
const importFile = ({ from, to }: { from: Program; to: Program }) => `src/${from}/planted-import-${to}.ts`;
const nameFile = (program: Program, name: string) => `src/${program}/planted-name-${name.toLowerCase()}.ts`;
const importText = (to: Program) =>
  `import { target } from "../${to}/planted-target.ts";\nexport const taken = target;\n`;

let tree: TreeCopy;
let untouched: Outcome;
let planted: Outcome;

beforeAll(async () => {
  tree = await copyTree();
  await tree.plant(
    Object.fromEntries(
      programs.map((program) => [targetFile(program), "export const target: number = 1;\n"]),
    ),
  );
  await tree.plant(Object.fromEntries(allowedPairs.map((pair) => [importFile(pair), importText(pair.to)])));
  untouched = await tree.types();
  await tree.plant(Object.fromEntries(forbiddenPairs.map((pair) => [importFile(pair), importText(pair.to)])));
  await tree.plant(
    Object.fromEntries(
      foreignNames.map(([program, name]) => [
        nameFile(program, name),
        `export const taken = typeof ${name};\n`,
      ]),
    ),
  );
  await tree.plant({
    "src/web/planted-module.ts": 'import { readFile } from "node:fs";\nexport const taken = readFile;\n',
  });
  planted = await tree.types();
});

afterAll(() => tree[Symbol.asyncDispose]());

test("the tree compiles, with every allowed import", () => {
  expect(untouched).toEqual({ code: 0, output: "" });
});

/** The compiler's errors in one planted file, without their positions. */
function errorsIn(file: string): string[] {
  return planted.output
    .split("\n")
    .filter((line) => line.startsWith(`${file}(`))
    .map((line) => line.replace(/^[^:]+: /, ""));
}

test.each(forbiddenPairs)("$from may not import $to", (pair) => {
  expect(errorsIn(importFile(pair))).toEqual([
    expect.stringMatching(new RegExp(`^error TS6307: File '.*/${targetFile(pair.to)}' is not listed`)),
  ]);
});

test.each(foreignNames)("%s has no global %s", (program, name) => {
  expect(errorsIn(nameFile(program, name))).toEqual([
    expect.stringMatching(new RegExp(`^error TS\\d+: Cannot find name '${name}'`)),
  ]);
});

test("web has no modules of Node.js", () => {
  expect(errorsIn("src/web/planted-module.ts")).toEqual([
    expect.stringMatching(/^error TS\d+: Cannot find (name|module) 'node:fs'/),
  ]);
});
