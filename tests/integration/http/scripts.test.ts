/** The OpenAPI document and docs/api.md, as the author of a script uses them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { mainJob } from "#server/site/main-job.ts";
import { runOk, runProcess } from "#system/processes.ts";
import { openGuide } from "../../machine/guide.ts";
import { commandScript, repository } from "../../support/repository.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { type DemoServer, demoServer } from "../server/demo-server.ts";
import { type Participant, signUp } from "../server/participant.ts";

const node = "de01";
const guideUrl = "https://peering.example.net";
let server: DemoServer;
let participant: Participant;
let token: string;

beforeAll(async () => {
  server = await demoServer();
  participant = await signUp(server.url, "4242420001");
  token = await createToken("change");
});
afterAll(() => server[Symbol.asyncDispose]());

async function createToken(scope: "read" | "change"): Promise<string> {
  const { asn: username, call } = participant;
  const wanted = { username, name: scope, scope, node: null, days: 30, ends_with_password: true } as const;
  return (await call(calls.createApiToken, wanted)).token;
}

/** The guide with a reader's values. */
const openApiGuide = (secret = token) =>
  openGuide(
    "api.md",
    new Map([
      [guideUrl, server.url],
      ["YOUR_TOKEN", secret],
    ]),
  );

/** Runs a program in a folder, and returns its output. */
function run(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const environment = {
    PATH: process.env["PATH"],
    HOME: folder,
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  return runOk(runProcess, program, args, { cwd: folder, environment, timeoutMs: 60_000 });
}

/** Runs a command of a package with this process's Node.js. */
async function runCommand(folder: string, name: string, command: string, ...args: readonly string[]) {
  return run(folder, process.execPath, await commandScript(name, command), ...args);
}

/** Of the author of the script. */
const tsconfig = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    target: "es2024",
    module: "nodenext",
    allowImportingTsExtensions: true,
    typeRoots: [join(repository, "node_modules/@types")],
    types: ["node"],
  },
};

test("the linter finds nothing wrong with the document", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const document = await (await fetch(`${server.url}/api/openapi.json`)).text();
  await writeFile(join(folder, "openapi.json"), document);
  const found = await runCommand(folder, "@redocly/cli", "redocly", "lint", "openapi.json", "--format=json");
  expect(JSON.parse(found)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
});

test("the commands of the guide do the main job, and the API page shows them", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const guide = await openApiGuide();
  await writeFile(join(folder, "peerdeck-token"), guide.file(""));
  const text = guide.command("/api/nodes.json");
  const printed = await run(folder, "bash", "-euo", "pipefail", "-c", text);
  expect(printed.split("\n")).toEqual(expect.arrayContaining([node, `${node} OK`]));
  expect(printed.match(/"status": "success"/g)).toHaveLength(3);
  const { asn: username, call } = participant;
  expect(await call(calls.getPeeredNodes, { username })).toEqual([]);
  const shown = await openGuide("api.md", new Map());
  expect(shown.command("/api/nodes.json")).toBe(mainJob(guideUrl));
});

test("the generated client of the guide compiles and does the main job", async () => {
  const folder = await createScratchFolder(onTestFinished);
  const guide = await openApiGuide();
  const [npx, packageName = "", ...args] = guide.command("generate-client").trim().split(" ");
  expect(npx).toBe("npx");
  await runCommand(folder, packageName, "redocly", ...args);
  await writeFile(join(folder, "main-job.ts"), guide.file("ts"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  await runCommand(folder, "typescript", "tsc");
  const printed = await run(folder, process.execPath, "main-job.ts");
  expect(printed).toContain(`${node} OK`);
  await writeFile(
    join(folder, "with-read-token.ts"),
    (await openApiGuide(await createToken("read"))).file("ts"),
  );
  await expect(run(folder, process.execPath, "with-read-token.ts")).rejects.toThrow("status 403");
  const { asn: username, call } = participant;
  expect(await call(calls.getPeeredNodes, { username })).toEqual([]);
});
