import { expect, test } from "vitest";
import { checkTree, lint } from "./planted-tree.ts";

interface Planted {
  /** The folder of the file with the import. */
  readonly folder: string;
  readonly imports: string;
}

interface Forbidden extends Planted {
  readonly refusal: string;
}

/** The rooms below the server's features, and the other rooms that each may import. */
const serverRooms: Readonly<Record<string, readonly string[]>> = {
  config: [],
  db: [],
  registry: [],
  jobs: ["db"],
  audit: ["db"],
  api: ["db", "audit"],
  backup: ["db", "config", "nodes"],
  nodes: ["db", "config", "jobs", "audit"],
  agents: ["db", "config", "nodes"],
  mail: ["db", "config", "jobs"],
  push: ["db", "jobs"],
  site: ["api"],
};

const targetsIn = (...folders: readonly string[]) => folders.map((folder) => `${folder}/planted-target.ts`);
const targetsBeside = (...rooms: readonly string[]) => targetsIn(...rooms.map((room) => `../${room}`));
const feature = "features/planted-one";

/** What the folder of each type may not import. */
const walls: ReadonlyArray<readonly [folder: string, type: string, imports: readonly string[]]> = [
  ["src/contract", "contract", ["smol-toml"]],
  ["src/browser-storage", "browser-storage", ["valibot"]],
  ["src/sw", "sw", ["react", ...targetsIn("../web/api")]],
  ["src/domain", "domain", ["valibot", "node:path"]],
  ["src/web/browser", "web-browser", targetsBeside(feature, "routes", "ui")],
  ["src/web/ui", "web-ui", targetsBeside(feature, "routes", "browser", "api")],
  ["src/web/api", "web-api", targetsBeside(feature)],
  ["src/web/features/planted-two", "web-feature", targetsIn("../planted-one", "../../routes", "#web/routes")],
  ["src/server", "server", targetsIn("../../tests")],
  ["src/server/mail", "server-mail", ["../context.ts"]],
  ["src/server/features/peerings", "server-shared-feature", targetsIn("../planted-one")],
  [
    "src/server/features/planted-two",
    "server-feature",
    [...targetsIn("../planted-one", "../../site"), "../../app.ts"],
  ],
  ...Object.entries(serverRooms).map(([room, allowed]) => {
    const others = [feature, ...Object.keys(serverRooms)].filter(
      (target) => ![room, ...allowed].includes(target),
    );
    return [`src/server/${room}`, `server-${room}`, targetsBeside(...others)] as const;
  }),
];

const driver = (name: string) => `Only src/server/db imports a database driver, and ${name} is one.`;
const startsProcess =
  "Only src/launch.cjs, src/lab/hosts/namespaces.ts and src/system/processes.ts start processes.";
const unknown = "File does not match any file pattern and does not belong to any known element";

const forbidden: readonly Forbidden[] = [
  ...walls.flatMap(([folder, type, imports]) =>
    imports.map((each) => ({ folder, imports: each, refusal: `${type} may not import ${each}.` })),
  ),
  ...[
    ["conflicts", "deployment"],
    ["conflicts", "recovery"],
    ["deployment", "recovery"],
  ].map(([room = "", other = ""]) => {
    const [imports = ""] = targetsBeside(other);
    const refusal = `The ${room} of peerings may not import ${imports}.`;
    return { folder: `src/server/features/peerings/${room}`, imports, refusal };
  }),
  { folder: "src/server/features/planted-one", imports: "pg", refusal: driver("pg") },
  { folder: "src/agent", imports: "pg", refusal: driver("pg") },
  { folder: "src/server", imports: "node:sqlite", refusal: driver("node:sqlite") },
  { folder: "src/server", imports: "react", refusal: "react belongs to the web app." },
  {
    folder: "src/web/features/planted-two",
    imports: "hono",
    refusal: "hono belongs to the programs that run in Node.",
  },
  { folder: "src/agent", imports: "node:child_process", refusal: startsProcess },
  { folder: "src/server", imports: "child_process", refusal: startsProcess },
  { folder: "src/demo", imports: "node:child_process", refusal: startsProcess },
  { folder: "src/planted", imports: "../contract/planted-target.ts", refusal: unknown },
];

const belowFeatures = ["db", "config", "api", "jobs", "mail", "push", "nodes", "agents", "registry"].map(
  (room) => `../../${room}`,
);

/** Imports that resemble the forbidden ones, by the folder of the file. */
const permitted: ReadonlyArray<readonly [folder: string, imports: readonly string[]]> = [
  ["src/web/routes", targetsBeside(feature)],
  ["src/web/features/planted-one", targetsIn(".", "../../api", "#web/api")],
  ["src/server/features/planted-one", [...targetsIn(...belowFeatures, "../peerings"), "../../context.ts"]],
  ["src/server/features/peerings/recovery", targetsBeside("conflicts", "deployment")],
  ...Object.entries(serverRooms).map(
    ([room, others]) => [`src/server/${room}`, targetsBeside(...others)] as const,
  ),
  ["src/server/db", ["pg", "node:sqlite"]],
  ["src/sw", ["workbox-routing"]],
  ["src/browser-storage", ["idb-keyval"]],
];

const targets = [
  ...targetsIn("src/contract", "tests"),
  ...targetsIn(...["api", "browser", "routes", "ui", feature].map((room) => `src/web/${room}`)),
  ...targetsIn(...[feature, ...Object.keys(serverRooms)].map((room) => `src/server/${room}`)),
  ...targetsIn(
    ...["", "/conflicts", "/deployment", "/recovery"].map((room) => `src/server/features/peerings${room}`),
  ),
  "src/server/app.ts",
  "src/server/context.ts",
];

const fileOf = ({ folder, imports }: Planted) => `${folder}/planted-${imports.replaceAll(/\W+/g, "-")}.ts`;
const importText = (imports: string) =>
  `import * as target from "${imports}";\n\nexport const taken = target;\n`;
const allowed = permitted.flatMap(([folder, all]) => all.map((imports) => ({ folder, imports })));

const printed = await checkTree(lint, {
  ...Object.fromEntries(targets.map((file) => [file, "export const target = 1;\n"])),
  ...Object.fromEntries(
    [...allowed, ...forbidden].map((plant) => [fileOf(plant), importText(plant.imports)]),
  ),
  "src/domain/planted.test.ts": importText("fast-check"),
  "src/web/planted-dynamic.ts": 'export const load = () => import("../server/db/planted-target.ts");\n',
  "src/server/planted-reexport.ts": 'export { Pool } from "pg";\n',
  "src/web/api/planted-type.ts": 'export type { target } from "../features/planted-one/planted-target.ts";\n',
});

function refusalsOf(file: string): string[] {
  return printed
    .split("\n")
    .filter((line) => line.startsWith(`${file}:`) && line.includes("[Error/boundaries("))
    .map((line) => line.replace(/^[^ ]+ (.*) \[Error.*$/, "$1"));
}

test("every allowed import passes", () => {
  const files = [...allowed.map(fileOf), "src/domain/planted.test.ts"];
  expect(files.flatMap(refusalsOf)).toEqual([]);
});

test.each(forbidden)("$folder may not import $imports", ({ refusal, ...plant }) => {
  expect(refusalsOf(fileOf(plant))).toEqual([refusal]);
});

test("dynamic imports, re-exports and type imports count as imports", () => {
  expect(refusalsOf("src/web/planted-dynamic.ts")).toEqual([
    "web may not import ../server/db/planted-target.ts.",
  ]);
  expect(refusalsOf("src/server/planted-reexport.ts")).toEqual([
    "Only src/server/db imports a database driver, and pg is one.",
  ]);
  expect(refusalsOf("src/web/api/planted-type.ts")).toEqual([
    "web-api may not import ../features/planted-one/planted-target.ts.",
  ]);
});
