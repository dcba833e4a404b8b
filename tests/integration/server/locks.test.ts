import { expect, test } from "vitest";
import { openDatabase } from "../../../src/server/db/open.ts";
import { createTestDatabase, describeEachDatabase, type TestDatabase } from "../../setup/databases.ts";

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
