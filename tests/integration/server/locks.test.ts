import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  createTestDatabase,
  describeWithDatabase,
  leaveOpen,
  openAsServer,
  postgresTemplate,
} from "../../support/databases.ts";
import { openDatabase } from "#server/db/open.ts";
import { openTcpRelay } from "../../support/tcp-relay.ts";

describeWithDatabase("locks", { postgres: "always" }, (openTestDatabase) => {
  test("queries work while many locks are held; a held lock is refused and a released one granted", async () => {
    await using database = await openAsServer(await openTestDatabase());
    const names = Array.from({ length: 60 }, (_, index) => `node ${index}`);
    const released = Promise.withResolvers<void>();
    let acquired = 0;
    const all = Promise.withResolvers<void>();
    const locks = names.map((name) =>
      database.locks.tryExclusive(name, async () => {
        acquired += 1;
        if (acquired === names.length) all.resolve();
        await released.promise;
      }),
    );
    await all.promise;
    expect(await database.db.selectFrom("peerings").selectAll().execute()).toEqual([]);
    expect(await database.locks.tryExclusive("node 0", async () => undefined)).toBe(false);
    released.resolve();
    expect(new Set(await Promise.all(locks))).toEqual(new Set([true]));
    expect(await database.locks.tryExclusive("node 0", async () => undefined)).toBe(true);
  });

  test("work that fails releases its lock", async () => {
    await using database = await openAsServer(await openTestDatabase());
    const failing = database.locks.tryExclusive("outbox", async () => {
      throw new Error("work failed");
    });
    await expect(failing).rejects.toThrow("work failed");
    expect(await database.locks.tryExclusive("outbox", async () => undefined)).toBe(true);
  });
});

describeWithDatabase("events of transactions", { postgres: "always" }, (openTestDatabase) => {
  test("arrive once, after the commit alone, and not from a transaction that is rolled back", async () => {
    await using database = await openAsServer(await openTestDatabase());
    const { db, events } = database;
    const isBlocked = async () =>
      (await db.selectFrom("account_blocks").select("asn").execute()).length === 1;
    const received: string[] = [];
    const found: Array<Promise<boolean>> = [];
    events.subscribe("accountNotice", ({ asn }) => {
      received.push(asn);
      found.push(isBlocked());
    });
    const transact = (asn: string, end: () => void) =>
      db.transaction().execute(async (tx) => {
        await events.publishIn(tx, "accountNotice", { asn });
        await tx.insertInto("account_blocks").values({ asn, reason: "a test", blocked_at: 1 }).execute();
        await db.selectFrom("peerings").selectAll().execute();
        expect(received).toEqual([]);
        end();
      });
    const rolledBack = transact("1", () => {
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    await transact("2", () => undefined);
    await events.publish("accountNotice", { asn: "3" });
    await expect.poll(() => received).toEqual(["2", "3"]);
    expect(await Promise.all(found)).toEqual([true, true]);
  });
});

test("reads have connections while changes wait for each other, and changes begin in the order of their arrival", async () => {
  await using at = await createTestDatabase(postgresTemplate);
  const limits = { connectMs: 5_000, turnMs: 30_000, lockWaitMs: 20_000 };
  await using database = await openDatabase({ dataDir: "", url: at.url, onError: () => undefined, limits });
  const { db } = database;
  const begun: number[] = [];
  const held = await leaveOpen(at.url, "SELECT pg_advisory_xact_lock(1)");
  const changes = Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      db.transaction().execute(async (tx) => {
        begun.push(index);
        await sql`SELECT pg_advisory_xact_lock(1), pg_sleep(0.002)`.execute(tx);
      }),
    ),
  );
  await expect.poll(() => begun.length).toBe(20);
  await Promise.all(Array.from({ length: 60 }, () => db.selectFrom("peerings").selectAll().execute()));
  await held[Symbol.asyncDispose]();
  await changes;
  // Those that have a turn begin side by side.
  const overtakenBy = begun.map((index, position) => position - index);
  expect(Math.max(...overtakenBy)).toBeLessThan(30);
});

test("two servers of one PostgreSQL exclude each other", async () => {
  await using at = await createTestDatabase();
  const options = { dataDir: "", url: at.url, onError: () => undefined };
  await using here = await openDatabase(options);
  await using there = await openDatabase(options);
  await here.locks.tryExclusive("outbox", async () => {
    expect(await there.locks.tryExclusive("outbox", async () => undefined)).toBe(false);
  });
  expect(await there.locks.tryExclusive("outbox", async () => undefined)).toBe(true);
});

test("a connection without responses is replaced", async () => {
  await using at = await createTestDatabase();
  const relay = await openTcpRelay(Number(new URL(at.url).port));
  const url = relay.through(at.url);
  await using database = await openDatabase({ dataDir: "", url, onError: () => undefined });
  // Disposed before the database, which would wait for the silent connections to end.
  await using _relay = relay;
  const take = (name: string) => database.locks.tryExclusive(name, async () => undefined);
  expect(await take("outbox")).toBe(true);
  relay.fallSilent();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const taken = take("outbox").catch(String);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(5_000);
  expect(await taken).toContain("Query read timeout");
  vi.useRealTimers();
  await expect.poll(() => take("outbox").catch(() => false)).toBe(true);
});

test("both ends of every connection send keepalives after ten seconds", async () => {
  await using at = await createTestDatabase();
  await using database = await openAsServer({ kind: "postgres", url: at.url });
  await database.locks.tryExclusive("outbox", async () => undefined);
  // Kept in use, because the pool closes unused connections.
  await database.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ port: number }>`
      SELECT client_port AS port FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend'`.execute(db);
    // One for events, one for locks, and one of the pool.
    expect(rows).toHaveLength(3);
    const port = Number(new URL(at.url).port);
    for (const { port: other } of rows) {
      await expect.poll(() => keepaliveTimer(port, other)).toBeLessThanOrEqual(10);
      await expect.poll(() => keepaliveTimer(other, port)).toBeLessThanOrEqual(10);
    }
  });
});

/**
 * Seconds until this end of a loopback connection sends a keepalive, from the kernel's table (proc_net_tcp.rst: timer
 * 02 is keepalive, in hundredths of a second). NaN while another timer runs, or none.
 */
async function keepaliveTimer(local: number, remote: number): Promise<number> {
  const ends = [local, remote].map((port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`);
  const table = await readFile("/proc/net/tcp", "utf8");
  const line = table.split("\n").find((row) => row.includes(` ${ends.join(" ")} `));
  const [, hundredths = ""] = / 02:([0-9A-F]{8}) /.exec(line ?? "") ?? [];
  return Number.parseInt(hundredths, 16) / 100;
}
