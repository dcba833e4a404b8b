import { sql } from "kysely";
import { expect, test } from "vitest";
import { serveAccounts, registerAndLogIn } from "./account-server.ts";

test("with a full disk the server acknowledges nothing and damages no data, and it recovers when there is space", async () => {
  await using server = await serveAccounts(null);
  const session = await registerAndLogIn(server);
  const { db } = server.database;
  const message = {
    username: "4242420001",
    name: "Ada",
    email: "ada@example.org",
    message: "x".repeat(5000),
  };
  const write = () => server.post("/api/submitContactForm", message, session);
  const mails = async () => (await server.mailOutbox.listMails()).length;

  // Without free pages, SQLite then returns SQLITE_FULL, as on a full disk.
  await sql`VACUUM`.execute(db);
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
  await sql`PRAGMA max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db);
  const before = await mails();
  let acknowledged = 0;
  let rejected = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { status, body } = await write();
    if (status === 200) acknowledged += 1;
    else {
      rejected += 1;
      expect({ status, body }).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining("Nothing was changed") },
      });
    }
  }
  expect(rejected).toBeGreaterThan(3);
  expect(await mails()).toBe(before + acknowledged);
  expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
  expect((await sql`PRAGMA integrity_check`.execute(db)).rows).toEqual([{ integrity_check: "ok" }]);

  await sql`PRAGMA max_page_count = 100000`.execute(db);
  expect(await write()).toMatchObject({ status: 200 });
  expect(await mails()).toBe(before + acknowledged + 1);
});
