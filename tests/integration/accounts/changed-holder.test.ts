/** Accounts whose AS has another holder in the registry than when they were verified. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  checkHolders,
  listFlaggedAccounts,
  releaseAccount,
} from "#server/features/accounts/account-holders.ts";
import { createLog } from "#server/log.ts";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createRegistry } from "#server/registry/registry.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { type AccountServer, goodPassword, logIn, register, serveAccounts } from "./account-server.ts";

const path = "/api/sendEmailVerification";
const reset = { asn: "4242420001", password_reset: "Yes" };
const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 20);
const rejected = {
  status: 403,
  body: {
    message:
      "The registry's entry of AS4242420001 has changed since this account was verified, so we sent no link. The peerings keep running. Write to support@example.net.",
  },
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-holders-"));
  await put({ "person/ADA-P": "e-mail: ada@example.org" });
  await setMaintainers("B-MNT", "A-MNT");
});

afterEach(() => rm(folder, { recursive: true }));

function put(objects: Readonly<Record<string, string>>): Promise<void> {
  return writeRegistryFiles(folder, objects);
}

function setMaintainers(...names: readonly string[]): Promise<void> {
  const lines = names.map((name) => `mnt-by: ${name}`);
  return put({ "aut-num/AS4242420001": ["admin-c: ADA-P", ...lines].join("\n") });
}

/** Runs the daily comparison, `days` after the server's start. */
function check({ database }: AccountServer, days: number): Promise<void> {
  const clock = () => start + days * dayMs;
  const registry = createRegistry({ source: createFolderSource(folder), maxAgeDays: 7, clock });
  return checkHolders(
    { ...database, registry, clock, log: createLog("silent") },
    new AbortController().signal,
  );
}

describeWithDatabase("an account", { postgres: "share" }, (openDatabase) => {
  const serve = async () =>
    serveAccounts(await openDatabase(), { createRegistrySource: () => createFolderSource(folder) });

  test("with the same maintainers in another order is not flagged", async () => {
    await using server = await serve();
    await register(server);
    await setMaintainers("a-mnt", "DN42-MNT", "B-MNT");
    await check(server, 2);
    expect(await listFlaggedAccounts(server.database.db)).toEqual([]);
    expect(await server.post(path, reset)).toMatchObject({ status: 200 });
  });

  test("with other maintainers is flagged: earlier links end, resets stop, and logging in works", async () => {
    await using server = await serve();
    await register(server);
    server.pass(1000);
    await server.post(path, reset);
    const token = await server.mailedToken("ada@example.org");
    await setMaintainers("EVE-MNT");
    await check(server, 2);
    expect(await listFlaggedAccounts(server.database.db)).toEqual([
      {
        asn: "4242420001",
        flaggedAt: start + 2 * dayMs,
        verifiedHolder: "A-MNT, B-MNT",
        flaggedHolder: "EVE-MNT",
      },
    ]);
    expect(await server.post("/api/setPassword", { token, password: goodPassword })).toMatchObject({
      status: 400,
    });
    expect(await server.post(path, reset)).toMatchObject(rejected);
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
    await setMaintainers("A-MNT", "B-MNT");
    await check(server, 4);
    expect(await server.post(path, reset)).toMatchObject(rejected);
  });

  test("with other maintainers is flagged by a reset before the daily comparison", async () => {
    await using server = await serve();
    await register(server);
    await setMaintainers("EVE-MNT");
    expect(await server.post(path, reset)).toMatchObject(rejected);
    expect(await server.mailOutbox.listMails()).toHaveLength(1);
    expect(await listFlaggedAccounts(server.database.db)).toHaveLength(1);
  });

  test("whose AS is gone is flagged; released, it stays so only until the next change", async () => {
    await using server = await serve();
    const { db } = server.database;
    await register(server);
    await rm(join(folder, "data/aut-num/AS4242420001"));
    await put({ "aut-num/AS4242420002": "admin-c: ADA-P" });
    await check(server, 2);
    expect(await listFlaggedAccounts(db)).toMatchObject([{ flaggedHolder: "(not in the registry)" }]);
    expect(await releaseAccount(db, "4242420001", Date.now())).toBe(true);
    expect(await releaseAccount(db, "4242420001", Date.now())).toBe(false);
    await check(server, 4);
    expect(await listFlaggedAccounts(db)).toEqual([]);
    await setMaintainers("EVE-MNT");
    expect(await server.post(path, reset)).toMatchObject(rejected);
    await releaseAccount(db, "4242420001", Date.now());
    expect(await server.post(path, reset)).toMatchObject({ status: 200 });
  });

  test("is not flagged while the registry is missing", async () => {
    await using server = await serve();
    const { db } = server.database;
    await register(server);
    await setMaintainers("NEW-MNT");
    await rm(join(folder, "data"), { recursive: true });
    await check(server, 2);
    expect(await listFlaggedAccounts(db)).toEqual([]);
  });
});
