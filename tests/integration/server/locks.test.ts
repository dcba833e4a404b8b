import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/server/db/open.ts";
import { createTestDatabase, describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";
import { openSilentRelay } from "./silent-relay.ts";

const open = (at: TestDatabase) =>
  openDatabase({
    dataDir: at.kind === "sqlite" ? at.dataDir : "",
    url: at.kind === "postgres" ? at.url : null,
    onError: () => undefined,
  });

describeEachDatabase("locks", (openTestDatabase) => {
  test("however many are held, queries go on; a held one is refused and a freed one given", async () => {
    await using database = await open(await openTestDatabase());
    const names = Array.from({ length: 60 }, (_, index) => `node ${index}`);
    const free = Promise.withResolvers<void>();
    let holding = 0;
    const all = Promise.withResolvers<void>();
    const held = names.map((name) =>
      database.locks.tryExclusive(name, async () => {
        holding += 1;
        if (holding === names.length) all.resolve();
        await free.promise;
      }),
    );
    await all.promise;
    expect(await database.db.selectFrom("peerings").selectAll().execute()).toEqual([]);
    expect(await database.locks.tryExclusive("node 0", async () => undefined)).toBe(false);
    free.resolve();
    expect(new Set(await Promise.all(held))).toEqual(new Set([true]));
    expect(await database.locks.tryExclusive("node 0", async () => undefined)).toBe(true);
  });

  test("work that fails frees its lock", async () => {
    await using database = await open(await openTestDatabase());
    const failing = database.locks.tryExclusive("outbox", async () => {
      throw new Error("no luck");
    });
    await expect(failing).rejects.toThrow("no luck");
    expect(await database.locks.tryExclusive("outbox", async () => undefined)).toBe(true);
  });
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

test("a connection that does not answer any more is given up for another", async () => {
  await using at = await createTestDatabase();
  const relay = await openSilentRelay(at.url);
  await using database = await openDatabase({ dataDir: "", url: relay.url, onError: () => undefined });
  // Closed before the database is, which would wait for the end of connections that are silent.
  await using line = relay;
  const take = (name: string) => database.locks.tryExclusive(name, async () => undefined);
  expect(await take("outbox")).toBe(true);
  line.fallSilent();
  await expect(take("outbox")).rejects.toThrow("Query read timeout");
  await expect.poll(() => take("outbox").catch(() => false), { timeout: 20_000 }).toBe(true);
});

test("both ends of every connection ask after ten seconds whether the other is there", async () => {
  await using at = await createTestDatabase();
  await using database = await open({ kind: "postgres", url: at.url });
  await database.locks.tryExclusive("outbox", async () => undefined);
  // Held, since the pool ends what nobody uses.
  await database.db.connection().execute(async (db) => {
    const { rows } = await sql<{ port: number }>`
      SELECT client_port AS port FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend'`.execute(db);
    // Events, locks, and one of the pool.
    expect(rows).toHaveLength(3);
    const port = Number(new URL(at.url).port);
    for (const { port: other } of rows) {
      const poll = { timeout: 20_000 };
      await expect.poll(() => keepaliveTimer(port, other), poll).toBeLessThanOrEqual(10);
      await expect.poll(() => keepaliveTimer(other, port), poll).toBeLessThanOrEqual(10);
    }
  });
});

/**
 * Seconds until this end of a connection on loopback asks the other whether it is there, as the kernel has it
 * (proc_net_tcp.rst: timer 02 is keepalive, in hundredths of a second); NaN while it runs another timer, or none.
 */
async function keepaliveTimer(local: number, remote: number): Promise<number> {
  const ends = [local, remote].map((port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`);
  const table = await readFile("/proc/net/tcp", "utf8");
  const line = table.split("\n").find((row) => row.includes(` ${ends.join(" ")} `));
  const [, hundredths = ""] = / 02:([0-9A-F]{8}) /.exec(line ?? "") ?? [];
  return Number.parseInt(hundredths, 16) / 100;
}
