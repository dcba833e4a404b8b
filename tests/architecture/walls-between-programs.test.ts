import { expect, test } from "vitest";
import { packagesOf, sourceFiles } from "../tools/structure/source-files.ts";
import { checkTree, checkTypes } from "./planted-tree.ts";

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
  cli: ["contract", "domain", "mtls", "system", "agent", "server", "demo"],
  packaging: ["system"],
} as const;
type Program = keyof typeof mayImport;
const programs = Object.keys(mayImport) as Program[];

const sources = await sourceFiles("src");

const pairs = programs.flatMap((from) =>
  programs
    .filter((to) => to !== from)
    .map((to) => ({ from, to, allowed: (mayImport[from] as readonly Program[]).includes(to) })),
);
const allowedPairs = pairs.filter(({ allowed }) => allowed);
const forbiddenPairs = pairs.filter(({ allowed }) => !allowed);

/** Globals of other platforms, which must not exist for a program. */
const foreign: Readonly<Record<Program, readonly string[]>> = {
  contract: ["process", "document", "fetch"],
  domain: ["process", "document", "fetch", "setTimeout"],
  system: ["document"],
  mtls: ["document"],
  "browser-storage": ["process", "document"],
  sw: ["process", "document"],
  mocks: ["process"],
  web: ["process", "Buffer"],
  agent: ["window", "document"],
  server: ["window", "document"],
  lab: ["document"],
  demo: ["document"],
  cli: ["document"],
  packaging: ["document"],
};
const foreignNames = programs.flatMap((program) => foreign[program].map((name) => [program, name] as const));

const targetFile = (program: Program) => `src/${program}/planted-target.ts`;
const importFile = ({ from, to }: { from: Program; to: Program }) => `src/${from}/planted-import-${to}.ts`;
const nameFile = (program: Program, name: string) => `src/${program}/planted-name-${name.toLowerCase()}.ts`;
const importText = (to: Program) =>
  `import { target } from "../${to}/planted-target.ts";\nexport const taken = target;\n`;

/** Imports every package that a program imports: their types bring the globals. */
const packageFiles = Object.fromEntries(
  programs.map((program) => {
    const own = sources.filter(({ name }) => name.startsWith(`src/${program}/`));
    const packages = new Set(own.flatMap(({ text }) => packagesOf(text)));
    // Vite makes these.
    const real = Array.from(packages).filter((name) => !/^virtual:|\.css/.test(name));
    return [`src/${program}/planted-packages.ts`, real.map((name) => `import "${name}";\n`).join("")];
  }),
);

const planted = await checkTree(checkTypes, {
  ...packageFiles,
  ...Object.fromEntries(
    programs.map((program) => [targetFile(program), "export const target: number = 1;\n"]),
  ),
  ...Object.fromEntries(pairs.map((pair) => [importFile(pair), importText(pair.to)])),
  ...Object.fromEntries(
    foreignNames.map(([program, name]) => [
      nameFile(program, name),
      `export const taken = typeof ${name};\n`,
    ]),
  ),
  "src/web/planted-module.ts": 'import { readFile } from "node:fs";\nexport const taken = readFile;\n',
});

test("every allowed import compiles, and so does every package that a program imports", () => {
  expect(packageFiles["src/web/planted-packages.ts"]).toContain('"react"');
  expect(allowedPairs.flatMap((pair) => errorsIn(importFile(pair)))).toEqual([]);
  expect(Object.keys(packageFiles).flatMap(errorsIn)).toEqual([]);
});

/** The compiler's errors in one planted file, without their positions. */
function errorsIn(file: string): string[] {
  return planted
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
