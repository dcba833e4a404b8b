/** A server whose SQLite file another program has locked for writing, as `begin immediate` in `sqlite3` does. */
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { calls } from "#contract/calls.ts";
import { openDatabase } from "#server/db/open.ts";
import { smallWalBytes } from "#server/db/sqlite/checkpoints.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "./participant.ts";
import { profileServer } from "./profile-server.ts";

const asn = "4242420001";
const body = { username: asn };
const update = peerUpdate({ node: "syd01" });
const submit = ({ call }: Participant) => call(calls.updatePeerConfig, [body, update]);

function onError(error: unknown): never {
  expect.fail(String(error));
}

/** Holds the write lock until it is disposed. */
function lockForWriting(dataDir: string): Disposable {
  const database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"), { timeout: 10_000 });
  database.exec("BEGIN IMMEDIATE");
  return { [Symbol.dispose]: () => database.close() };
}

test("while the file is locked reads respond, and submits wait until it is free", async () => {
  await using server = await profileServer({}, { databaseLimits: { lockWaitMs: 60_000 } });
  const participant = await signUp(server.url, asn);
  let isWaiting = true;
  let submits: Array<ReturnType<typeof submit>> = [];
  {
    using _lock = lockForWriting(server.dataDir);
    submits = Array.from({ length: 5 }, () => submit(participant).finally(() => (isWaiting = false)));
    for (let round = 0; round < 5; round += 1) {
      expect(await participant.call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: true });
      expect(await participant.call(calls.getTasks, body)).toEqual([]);
      await participant.call(calls.getNodeStatus, { ...body, node: "syd01" });
    }
    expect(isWaiting).toBe(true);
  }
  const tasks = new Set((await Promise.all(submits)).map(({ taskID }) => taskID));
  expect(tasks.size).toBe(1);
  for (const task of tasks) expect(await waitForTask(participant, task)).toMatchObject({ status: "success" });
});

test("a submit that waits too long ends with 503 while the file is still locked, and changes nothing", async () => {
  await using server = await profileServer({}, { databaseLimits: { lockWaitMs: 200 } });
  const participant = await signUp(server.url, asn);
  {
    using _lock = lockForWriting(server.dataDir);
    const submitted = submit(participant).catch((error: unknown) => error);
    const first = await Promise.race([
      submitted.then(() => "submit"),
      participant.call(calls.getTasks, body).then(() => "read"),
    ]);
    expect(first).toBe("read");
    expect(await submitted).toMatchObject({ status: 503 });
    expect(await participant.call(calls.getTasks, body)).toEqual([]);
  }
  const { taskID } = await submit(participant);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
});

test("the log of SQLite becomes short again after a large change", async () => {
  const dataDir = await createScratchFolder(onTestFinished);
  await using database = await openDatabase({ dataDir, url: null, onError });
  const commit = (value: string) =>
    database.db
      .insertInto("signing_keys")
      .values({ name: "known clients", key: value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ key: value }))
      .execute();
  const walBytes = async () => (await stat(join(dataDir, "peerdeck.sqlite-wal"))).size;
  await commit("large".repeat(4 * 1024 * 1024));
  expect(await walBytes()).toBeGreaterThan(4 * smallWalBytes);
  await vi.waitFor(
    async () => {
      // SQLite writes nothing for the same value.
      await commit(randomUUID());
      expect(await walBytes()).toBeLessThanOrEqual(smallWalBytes);
    },
    { timeout: 10_000, interval: 100 },
  );
});

test("reads wait neither for a transaction nor for the disk, and see only what is on disk", async () => {
  const dataDir = await createScratchFolder(onTestFinished);
  let written: Promise<void> = Promise.resolve();
  await using database = await openDatabase({ dataDir, url: null, onError, syncFile: () => written });
  const { db } = database;
  const read = async () => {
    const row = await db
      .selectFrom("counters")
      .select("value")
      .where("name", "=", "generation")
      .executeTakeFirst();
    return row?.value;
  };
  const write = (on: typeof db, value: number) =>
    on.updateTable("counters").set({ value }).where("name", "=", "generation").execute();
  await write(db, 0);
  const ways: ReadonlyArray<(value: number) => Promise<unknown>> = [
    (value) => write(db, value),
    (value) =>
      db.transaction().execute(async (tx) => {
        await write(tx, value);
        expect(await Promise.race([read(), pause(1_000, "waits")])).toBe(value - 1);
      }),
  ];
  for (const [index, change] of ways.entries()) {
    const disk = Promise.withResolvers<void>();
    written = disk.promise;
    let isAcknowledged = false;
    const changing = change(index + 1).then(() => (isAcknowledged = true));
    // A turn later it is committed.
    await pause(50);
    expect([await Promise.race([read(), pause(1_000, "waits")]), isAcknowledged]).toEqual([index, false]);
    disk.resolve();
    await changing;
    expect(await read()).toBe(index + 1);
  }
});
