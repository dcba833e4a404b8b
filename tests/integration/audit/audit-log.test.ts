import { sql } from "kysely";
import { expect, test } from "vitest";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { runAuditCommand } from "#cli/audit-command.ts";
import { deleteOldEvents } from "#server/features/activity/audit-retention.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { runOperatorCommand } from "../accounts/operator-command.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const appendOnly = /the audit log is append-only/;
/** Of an event that has an address. */
const origin = { ...noOrigin, clientAddress: "192.0.2.7" };

describeWithDatabase("the audit log", { postgres: "always" }, (openDatabase) => {
  test("refuses to change what was recorded, and to delete what is younger than 30 days but its address", async () => {
    await using database = await openAsServer(await openDatabase());
    const { db } = database;
    for (const age of [29.9, 30.1]) {
      await recordEvent(db, { kind: "login", asn: "4242420001" }, origin, Date.now() - age * dayMs);
    }
    await expect(sql`update audit_events set asn = '4242420002'`.execute(db)).rejects.toThrow(appendOnly);
    await expect(sql`update audit_addresses set prefix = '::/48'`.execute(db)).rejects.toThrow(appendOnly);
    await expect(sql`delete from audit_events`.execute(db)).rejects.toThrow(appendOnly);
    await sql`delete from audit_events where at < ${Date.now() - 30 * dayMs}`.execute(db);
    expect(await db.selectFrom("audit_addresses").select("prefix").execute()).toEqual([
      { prefix: "192.0.2.0/24" },
    ]);
    await db.deleteFrom("audit_addresses").execute();
    expect(await db.selectFrom("audit_events").select("kind").execute()).toEqual([{ kind: "login" }]);
  });
});

describeWithDatabase("the retention of the audit log", { postgres: "share" }, (openDatabase) => {
  test("deletes events and addresses at their times, also more than a batch of them", async () => {
    await using database = await openAsServer(await openDatabase());
    const { db } = database;
    const now = Date.now();
    const record = (asn: string, days: number) =>
      recordEvent(db, { kind: "login", asn }, origin, now - days * dayMs);
    for (let index = 0; index < 32; index += 1) await record("1", 401);
    await sql`
      insert into audit_events (id, at, kind, asn)
      select one.id || two.id, one.at, one.kind, one.asn from audit_events one, audit_events two`.execute(db);
    await sql`
      insert into audit_addresses (event, prefix) select id, '192.0.2.0/24' from audit_events
      where id not in (select event from audit_addresses)`.execute(db);
    await record("2", 399);
    await record("3", 31);
    await record("4", 29);
    const profile = { audit: { keepDays: 400, keepAddressDays: 30 } };
    const deps = { db, profile, retentionClock: () => now };
    await deleteOldEvents(deps, new AbortController().signal);
    const rows = await db
      .selectFrom("audit_events")
      .leftJoin("audit_addresses", "event", "id")
      .select(["asn", "prefix"])
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { asn: "2", prefix: null },
      { asn: "3", prefix: null },
      { asn: "4", prefix: "192.0.2.0/24" },
    ]);
  });
});

describeWithDatabase("the command audit", { postgres: "campaigns" }, (openDatabase) => {
  test("prints a line for each event, the newest first, of one AS or all, as far back as asked", async () => {
    const at = await openDatabase();
    const now = Date.now();
    {
      await using database = await openAsServer(at);
      const request = { ...origin, loginSession: "abc", requestId: "r1" };
      await recordEvent(database.db, { kind: "logout", asn: "1" }, noOrigin, now - 9 * dayMs);
      await recordEvent(database.db, { kind: "login", asn: "4242420001" }, request, now - 2 * hourMs);
      const failed = { kind: "deployment-failed", asn: "4242420002", node: "de01", task: "t1" } as const;
      await recordEvent(database.db, { ...failed, detail: "No\n\u001b[2Jroute." }, noOrigin, now - hourMs);
    }
    const print = async (...args: readonly string[]) => {
      const { code, lines } = await runOperatorCommand(runAuditCommand, at, ...args);
      return [code, lines.map((line) => line.replace(/^\S+Z {2}/, ""))] as const;
    };
    const login =
      "AS4242420001 logged in.  (kind=login as=4242420001 network=192.0.2.0/24 session=abc request=r1)";
    const failed = String.raw`The peering was not deployed on de01. No\u{a}\u{1b}[2Jroute.  (kind=deployment-failed as=4242420002 task=t1)`;
    expect(await print()).toEqual([0, [failed, login]]);
    expect(await print("--asn", "as4242 420 001")).toEqual([0, [login]]);
    expect(await print("--since", "90m")).toEqual([0, [failed]]);
    await expect(print("--since", "soon")).rejects.toThrow("--since: soon is not a time such as 7d");
    await expect(print("--asn", "x")).rejects.toThrow("--asn: x is not an AS number");
  });
});
