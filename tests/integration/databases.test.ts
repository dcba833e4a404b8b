import { access, constants } from "node:fs/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, describeEachDatabase } from "../support/databases.ts";

async function count(url: string, sql: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(sql);
  await client.end();
  return rowCount;
}

test("a PostgreSQL test database starts empty and is gone after its disposal", async () => {
  const database = await createTestDatabase();
  expect(await count(database.url, "select * from pg_stat_user_tables")).toBe(0);
  await database[Symbol.asyncDispose]();
  await expect(count(database.url, "select 1")).rejects.toThrow(/does not exist/);
});

describeEachDatabase("a test's database", (openDatabase) => {
  test("is a new one each time", async () => {
    const [first, second] = [await openDatabase(), await openDatabase()];
    expect(first).not.toEqual(second);
    const usable =
      first.kind === "sqlite"
        ? access(first.dataDir, constants.W_OK).then(() => true)
        : count(first.url, "select 1").then((rows) => rows === 1);
    await expect(usable).resolves.toBe(true);
  });
});
