/** Settings that prevent the start of the server. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../support/databases.ts";
import { freePort } from "../../support/free-port.ts";
import { runProgram } from "./program.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-start-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function start(environment: Readonly<Record<string, string>>) {
  await using program = runProgram("src/main.ts", {
    DATA_DIR: folder,
    PORT: "0",
    PEERDECK_DEMO: "1",
    ...environment,
  });
  return await program.ended();
}

const exitWith = (sentence: string) => ({ code: 1, stderrText: `${sentence}\n` });

test("a port that another program uses", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  expect(await start({ PORT: String(port) })).toEqual(
    exitWith(
      `PORT ${port} is in use on 127.0.0.1: stop the program that uses it, or set PORT to a free port.`,
    ),
  );
  await once(other.close(), "close");
});

test.each([
  ["203.0.113.9", "EADDRNOTAVAIL"],
  ["host.invalid", "ENOTFOUND"],
])("the host %s, which this machine does not have", async (host, code) => {
  expect(await start({ HOST: host })).toEqual(
    exitWith(
      `HOST ${host} is not an address of this machine (${code}): set HOST to one that it has, such as 127.0.0.1.`,
    ),
  );
});

test("a data folder that cannot be created", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await start({ DATA_DIR: join(file, "data") })).toEqual(
    exitWith(
      `DATA_DIR ${file}/data cannot be used (ENOTDIR: ${file}/data): give the server's user the right to read and write ` +
        "it and everything in it, make space on its disk, or set DATA_DIR to another folder.",
    ),
  );
});

test("a database that cannot be reached", async () => {
  const host = `127.0.0.1:${await freePort()}`;
  expect(await start({ DATABASE_URL: `postgres://peerdeck:secret@${host}/peerdeck` })).toEqual(
    exitWith(
      `PostgreSQL on ${host} cannot be reached (ECONNREFUSED): start it, or correct its address in DATABASE_URL.`,
    ),
  );
});

test("a database user and a database that do not exist", async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  url.pathname = "/missing";
  expect(await start({ DATABASE_URL: url.href })).toEqual(
    exitWith(
      `PostgreSQL on ${url.host} has no database missing: create it, or correct its name in DATABASE_URL.`,
    ),
  );
  url.username = "stranger";
  expect(await start({ DATABASE_URL: url.href })).toEqual(
    exitWith(
      `PostgreSQL on ${url.host} rejected the user stranger or its password: correct them in DATABASE_URL.`,
    ),
  );
});
