import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveAccounts, signedIn } from "./account-server.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "peerdeck-full-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("a full disk acknowledges nothing, keeps what is there whole, and is forgotten when there is room", async () => {
  await using server = await serveAccounts({ kind: "sqlite", dataDir });
  const session = await signedIn(server);
  const { db } = server.database;
  const message = {
    username: "4242420001",
    name: "Ada",
    email: "ada@example.org",
    message: "x".repeat(5000),
  };
  const write = () => server.post("/api/submitContactForm", message, session);
  const mails = async () => (await server.outbox.kept()).length;

  // What SQLite answers is what it answers on a full disk: SQLITE_FULL.
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db);
  await sql`PRAGMA max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db);
  const before = await mails();
  let acknowledged = 0;
  let refused = 0;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { status, body } = await write();
    if (status === 200) acknowledged += 1;
    else {
      refused += 1;
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
        },
      });
    }
  }
  expect(refused).toBeGreaterThan(3);
  expect(await mails()).toBe(before + acknowledged);
  expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
  expect((await sql`PRAGMA integrity_check`.execute(db)).rows).toEqual([{ integrity_check: "ok" }]);

  await sql`PRAGMA max_page_count = 100000`.execute(db);
  expect(await write()).toMatchObject({ status: 200 });
  expect(await mails()).toBe(before + acknowledged + 1);
});
