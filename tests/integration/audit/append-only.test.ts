import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { describeEachDatabase, openAsServer } from "../../support/databases.ts";

const dayMs = 24 * 3_600_000;
const appendOnly = /the audit log is append-only/;

describeEachDatabase("the audit log", (openDatabase) => {
  async function open(): Promise<Db> {
    const database = await openAsServer(await openDatabase());
    onTestFinished(() => database[Symbol.asyncDispose]());
    return database.db;
  }

  test("refuses to change what was recorded", async () => {
    const db = await open();
    const origin = { ...noOrigin, clientAddress: "192.0.2.7" };
    await recordEvent(db, { kind: "login", asn: "4242420001" }, origin, Date.now());
    await expect(sql`update audit_events set asn = '4242420002'`.execute(db)).rejects.toThrow(appendOnly);
    await expect(sql`update audit_addresses set prefix = '::/48'`.execute(db)).rejects.toThrow(appendOnly);
  });

  test("refuses to delete what is younger than 30 days, but not its address", async () => {
    const db = await open();
    const origin = { ...noOrigin, clientAddress: "192.0.2.7" };
    for (const age of [29.9, 30.1]) {
      await recordEvent(db, { kind: "login", asn: "4242420001" }, origin, Date.now() - age * dayMs);
    }
    await expect(sql`delete from audit_events`.execute(db)).rejects.toThrow(appendOnly);
    await sql`delete from audit_events where at < ${Date.now() - 30 * dayMs}`.execute(db);
    expect(await db.selectFrom("audit_addresses").select("prefix").execute()).toEqual([
      { prefix: "192.0.2.0/24" },
    ]);
    await db.deleteFrom("audit_addresses").execute();
    expect(await db.selectFrom("audit_events").select("kind").execute()).toEqual([{ kind: "login" }]);
  });
});
