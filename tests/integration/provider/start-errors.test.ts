/** Settings that prevent the start of the server, or of the demo. */
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { assertDemoWanted } from "#demo/demo-wanted.ts";
import { start as startDemo } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { lockFolder } from "#server/db/sqlite/folder-lock.ts";
import { createLog } from "#server/log.ts";
import { serverProgram } from "../../support/built-programs.ts";
import { createTestDatabase } from "../../support/databases.ts";
import { freePort } from "../../support/free-port.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { runProgram } from "./program.ts";
import { refuseServer, runUntilError } from "./provider.ts";

let folder = "";
beforeEach(async () => {
  folder = await createScratchFolder(onTestFinished);
});

const settingsOf = (variables: Readonly<Record<string, string>>) =>
  readEnvironment({ DATA_DIR: folder, PORT: "0", ...variables });

/** Starts a demo that must refuse, and returns what the operator reads. */
async function refuseDemo(variables: Readonly<Record<string, string>>): Promise<string> {
  const { output } = await runUntilError(settingsOf(variables), async (environment) => {
    await using demo = await startDemo(environment, createLog("silent"));
    throw new Error(`a demo that must refuse listens on ${demo.url}`);
  });
  return output;
}

test("a port that another program uses, which ends the process", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await using program = runProgram(serverProgram, { DATA_DIR: folder, PORT: String(port) }, ["demo"]);
  expect(await program.ended()).toEqual({
    code: 1,
    stderrText: `PORT ${port} is in use on 127.0.0.1: stop the program that uses it, or set PORT to a free port.\n`,
  });
  expect(program.log).toEqual([]);
  await once(other.close(), "close");
});

test.each([
  ["203.0.113.9", "EADDRNOTAVAIL"],
  ["host.invalid", "ENOTFOUND"],
])("the host %s, which this machine does not have", async (host, code) => {
  expect(await refuseDemo({ HOST: host })).toBe(
    `HOST ${host} is not an address of this machine (${code}): set HOST to one that it has, such as 127.0.0.1.\n`,
  );
});

test("a data folder that cannot be created", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await refuseDemo({ DATA_DIR: join(file, "data") })).toBe(
    `DATA_DIR ${file}/data cannot be used (ENOTDIR: ${file}/data): give the server's user the right to read and write ` +
      "it and everything in it, make space on its disk, or set DATA_DIR to another folder.\n",
  );
});

test("a database that cannot be reached", async () => {
  const host = `127.0.0.1:${await freePort()}`;
  expect(await refuseDemo({ DATABASE_URL: `postgres://peerdeck:secret@${host}/peerdeck` })).toBe(
    `PostgreSQL on ${host} cannot be reached (ECONNREFUSED): start it, or correct its address in DATABASE_URL.\n`,
  );
});

test("a database user and a database that do not exist", async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  url.pathname = "/missing";
  expect(await refuseDemo({ DATABASE_URL: url.href })).toBe(
    `PostgreSQL on ${url.host} has no database missing: create it, or correct its name in DATABASE_URL.\n`,
  );
  url.username = "stranger";
  expect(await refuseDemo({ DATABASE_URL: url.href })).toBe(
    `PostgreSQL on ${url.host} rejected the user stranger or its password: correct them in DATABASE_URL.\n`,
  );
});

const head = `name = "Example Network"
domain = "example.net"
asn = "4242422227"
public_url = "https://peering.example.net"
support_address = "support@example.net"
registry = { path = "registry" }
`;
const mail = 'mail = { url = "smtp://127.0.0.1:25", from = "peering@example.net" }\n';
const node = `[[nodes]]
name = "syd01"
place = "Sydney"
lat = -33.9
lon = 151.2
public_ip = "192.0.2.1"
`;
const agent = `agent = { url = "https://192.0.2.1:4243", fingerprint = "${"ab".repeat(32)}" }\n`;

test.each([
  {
    missing: "mail",
    profile: head + node + agent,
    sentence: (path: string) =>
      `${path}:1: mail is missing, so the server cannot send registration links. Add a table [mail] with url and from.`,
  },
  {
    missing: "an agent",
    profile: head + mail + node,
    sentence: (path: string) =>
      `${path}:8: nodes[1].agent is missing. Add [nodes.agent] with url and fingerprint, which peerdeck-agent setup prints.`,
  },
  {
    missing: "the registry",
    profile: head.replace('"registry"', '"other"') + mail + node + agent,
    sentence: (path: string) =>
      `${path}:6: registry.path must be a registry clone, a readable folder that contains data/, found ` +
      `"${join(folder, "other")}" (ENOENT). Clone the registry there, or set registry.url.`,
  },
])("a profile without $missing", async ({ profile, sentence }) => {
  await mkdir(join(folder, "registry/data"), { recursive: true });
  const path = join(folder, "provider.toml");
  await writeFile(path, profile);
  expect(await refuseServer(settingsOf({ PEERDECK_CONFIG: path }))).toBe(`${sentence(path)}\n`);
});

test("the folder of a running demo", async () => {
  using _lock = await lockFolder(folder);
  expect(await refuseDemo({})).toContain(`Another server is running on ${folder}.`);
});

test("the demo in a provider's folder without a database", async () => {
  await mkdir(join(folder, "identity"));
  expect(await refuseDemo({})).toBe(
    `The folder ${folder} contains a provider's data, which the demo would change. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or DATA_DIR to another folder.\n`,
  );
  expect(await readdir(folder)).toEqual(["identity"]);
});

test("the demo on a database that was not set for it", () => {
  const settings = settingsOf({ DATABASE_URL: "postgres://127.0.0.1:1/peerdeck" });
  expect(() => assertDemoWanted(settings, false)).toThrow(
    "DATABASE_URL is set and PEERDECK_CONFIG is not, so the demo would use that database. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or PEERDECK_DEMO to 1.",
  );
});
