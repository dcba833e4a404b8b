import { expect, test } from "vitest";
import { checkTree, lint } from "./planted-tree.ts";

interface Planted {
  /** The file with the forbidden import. */
  readonly file: string;
  readonly imports: string;
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
  backup: ["db", "config"],
  agents: ["db", "config"],
  mail: ["db", "config", "jobs"],
  push: ["db", "jobs"],
  site: ["api"],
};

/** One import of each of these sibling rooms, from the folder of a room that may not import them. */
function forbiddenRooms(folder: string, type: string, rooms: readonly string[]): readonly Planted[] {
  return rooms.map((room) => {
    const imports = `../${room}/planted-target.ts`;
    const file = `${folder}/planted-${room.replace(/\W.*/, "")}.ts`;
    return { file, imports, refusal: `${type} may not import ${imports}.` };
  });
}

const violations: readonly Planted[] = [
  {
    file: "src/contract/planted.ts",
    imports: "smol-toml",
    refusal: "contract may not import smol-toml.",
  },
  {
    file: "src/browser-storage/planted.ts",
    imports: "valibot",
    refusal: "browser-storage may not import valibot.",
  },
  { file: "src/sw/planted.ts", imports: "react", refusal: "sw may not import react." },
  {
    file: "src/sw/planted-web.ts",
    imports: "../web/api/planted-target.ts",
    refusal: "sw may not import ../web/api/planted-target.ts.",
  },
  { file: "src/domain/planted.ts", imports: "valibot", refusal: "domain may not import valibot." },
  { file: "src/domain/planted-core.ts", imports: "node:path", refusal: "domain may not import node:path." },
  {
    file: "src/web/ui/planted.ts",
    imports: "../api/planted-target.ts",
    refusal: "web-ui may not import ../api/planted-target.ts.",
  },
  {
    file: "src/web/api/planted.ts",
    imports: "../features/planted-one/planted-target.ts",
    refusal: "web-api may not import ../features/planted-one/planted-target.ts.",
  },
  {
    file: "src/web/features/planted-two/planted.ts",
    imports: "../planted-one/planted-target.ts",
    refusal: "web-feature may not import ../planted-one/planted-target.ts.",
  },
  {
    file: "src/web/features/planted-two/planted-room.ts",
    imports: "#web/routes/planted-target.ts",
    refusal: "web-feature may not import #web/routes/planted-target.ts.",
  },
  {
    file: "src/web/features/planted-two/planted-route.ts",
    imports: "../../routes/planted-target.ts",
    refusal: "web-feature may not import ../../routes/planted-target.ts.",
  },
  {
    file: "src/web/features/planted-two/planted-package.ts",
    imports: "hono",
    refusal: "hono belongs to the programs that run in Node.",
  },
  {
    file: "src/server/api/planted.ts",
    imports: "../features/planted-one/planted-target.ts",
    refusal: "server-api may not import ../features/planted-one/planted-target.ts.",
  },
  {
    file: "src/server/db/planted.ts",
    imports: "../api/planted-target.ts",
    refusal: "server-db may not import ../api/planted-target.ts.",
  },
  {
    file: "src/server/config/planted.ts",
    imports: "../api/planted-target.ts",
    refusal: "server-config may not import ../api/planted-target.ts.",
  },
  ...forbiddenRooms("src/web/browser", "web-browser", ["features/planted-one", "routes", "ui"]),
  ...forbiddenRooms("src/web/ui", "web-ui", ["features/planted-one", "routes", "browser"]),
  ...Object.entries(serverRooms).flatMap(([room, allowed]) =>
    forbiddenRooms(
      `src/server/${room}`,
      `server-${room}`,
      ["features/planted-one", ...Object.keys(serverRooms)].filter(
        (target) => target !== room && !allowed.includes(target),
      ),
    ),
  ),
  {
    file: "src/server/features/planted-two/planted.ts",
    imports: "../planted-one/planted-target.ts",
    refusal: "server-feature may not import ../planted-one/planted-target.ts.",
  },
  {
    file: "src/server/features/peerings/planted.ts",
    imports: "../planted-one/planted-target.ts",
    refusal: "server-shared-feature may not import ../planted-one/planted-target.ts.",
  },
  ...[
    { room: "conflicts", imports: "../deployment/planted-target.ts" },
    { room: "conflicts", imports: "../recovery/planted-target.ts" },
    { room: "deployment", imports: "../recovery/planted-target.ts" },
  ].map(({ room, imports }) => ({
    file: `src/server/features/peerings/${room}/planted-${imports.split("/")[1]}.ts`,
    imports,
    refusal: `The ${room} of peerings may not import ${imports}.`,
  })),
  {
    file: "src/server/features/planted-two/planted-site.ts",
    imports: "../../site/planted-target.ts",
    refusal: "server-feature may not import ../../site/planted-target.ts.",
  },
  {
    file: "src/server/features/planted-two/planted-app.ts",
    imports: "../../app.ts",
    refusal: "server-feature may not import ../../app.ts.",
  },
  {
    file: "src/server/mail/planted-context.ts",
    imports: "../context.ts",
    refusal: "server-mail may not import ../context.ts.",
  },
  {
    file: "src/server/features/planted-one/planted-pg.ts",
    imports: "pg",
    refusal: "Only src/server/db imports a database driver, and pg is one.",
  },
  {
    file: "src/server/planted-sqlite.ts",
    imports: "node:sqlite",
    refusal: "Only src/server/db imports a database driver, and node:sqlite is one.",
  },
  {
    file: "src/agent/planted-pg.ts",
    imports: "pg",
    refusal: "Only src/server/db imports a database driver, and pg is one.",
  },
  { file: "src/server/planted-react.ts", imports: "react", refusal: "react belongs to the web app." },
  {
    file: "src/server/planted-tests.ts",
    imports: "../../tests/planted-target.ts",
    refusal: "server may not import ../../tests/planted-target.ts.",
  },
  {
    file: "src/agent/planted.ts",
    imports: "node:child_process",
    refusal: "Only src/launch.cjs, src/lab/hosts/namespaces.ts and src/system/processes.ts start processes.",
  },
  {
    file: "src/server/planted-process.ts",
    imports: "child_process",
    refusal: "Only src/launch.cjs, src/lab/hosts/namespaces.ts and src/system/processes.ts start processes.",
  },
  {
    file: "src/demo/planted-process.ts",
    imports: "node:child_process",
    refusal: "Only src/launch.cjs, src/lab/hosts/namespaces.ts and src/system/processes.ts start processes.",
  },
  {
    file: "src/planted/planted.ts",
    imports: "../contract/planted-target.ts",
    refusal: "File does not match any file pattern and does not belong to any known element",
  },
];

/** Allowed imports that resemble the violations above. */
const permitted: ReadonlyArray<Omit<Planted, "refusal">> = [
  { file: "src/web/routes/planted-route.ts", imports: "../features/planted-one/planted-target.ts" },
  { file: "src/web/features/planted-one/planted-sibling.ts", imports: "./planted-target.ts" },
  { file: "src/web/features/planted-one/planted-api.ts", imports: "../../api/planted-target.ts" },
  { file: "src/web/features/planted-one/planted-room.ts", imports: "#web/api/planted-target.ts" },
  ...["db", "config", "api", "jobs", "mail", "push", "agents", "registry"].map((room) => ({
    file: `src/server/features/planted-one/planted-${room}.ts`,
    imports: `../../${room}/planted-target.ts`,
  })),
  { file: "src/server/features/planted-one/planted-context.ts", imports: "../../context.ts" },
  {
    file: "src/server/features/planted-one/planted-peerings.ts",
    imports: "../peerings/planted-target.ts",
  },
  ...["conflicts", "deployment"].map((target) => ({
    file: `src/server/features/peerings/recovery/planted-${target}.ts`,
    imports: `../${target}/planted-target.ts`,
  })),
  ...Object.entries(serverRooms).flatMap(([room, allowed]) =>
    allowed.map((target) => ({
      file: `src/server/${room}/planted-allowed-${target}.ts`,
      imports: `../${target}/planted-target.ts`,
    })),
  ),
  { file: "src/server/db/planted-pg.ts", imports: "pg" },
  { file: "src/server/db/planted-sqlite.ts", imports: "node:sqlite" },
  { file: "src/sw/planted-workbox.ts", imports: "workbox-routing" },
  { file: "src/browser-storage/planted-store.ts", imports: "idb-keyval" },
  { file: "src/domain/planted.test.ts", imports: "fast-check" },
];

const targets = [
  "src/contract",
  "src/web/api",
  "src/web/browser",
  "src/web/routes",
  "src/web/ui",
  "src/web/features/planted-one",
  ...Object.keys(serverRooms).map((room) => `src/server/${room}`),
  "src/server/features/planted-one",
  "src/server/features/peerings",
  "src/server/features/peerings/conflicts",
  "src/server/features/peerings/deployment",
  "src/server/features/peerings/recovery",
  "tests",
]
  .map((folder) => `${folder}/planted-target.ts`)
  .concat("src/server/app.ts", "src/server/context.ts");

const importText = ({ imports }: Pick<Planted, "imports">) =>
  `import * as target from "${imports}";\n\nexport const taken = target;\n`;

const printed = await checkTree(lint, {
  ...Object.fromEntries(targets.map((file) => [file, "export const target = 1;\n"])),
  ...Object.fromEntries([...permitted, ...violations].map((plant) => [plant.file, importText(plant)])),
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
  expect(permitted.flatMap(({ file }) => refusalsOf(file))).toEqual([]);
});

test.each(violations)("$file may not import $imports", ({ file, refusal }) => {
  expect(refusalsOf(file)).toEqual([refusal]);
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
