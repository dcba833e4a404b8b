import { expect, test } from "vitest";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { deleteOldEvents } from "#server/features/activity/audit-retention.ts";
import { describeShareOfDatabases, openAsServer } from "../../support/databases.ts";

const dayMs = 24 * 3_600_000;
const profile = { audit: { keepDays: 400, keepAddressDays: 30 } };

describeShareOfDatabases("the retention of the audit log", (openDatabase) => {
  test("deletes events and addresses at their times, also more than a batch of them", async () => {
    await using database = await openAsServer(await openDatabase());
    const { db } = database;
    const now = Date.now();
    const origin = { ...noOrigin, clientAddress: "192.0.2.7" };
    const record = (asn: string, days: number) =>
      recordEvent(db, { kind: "login", asn }, origin, now - days * dayMs);
    await db.transaction().execute(async (tx) => {
      for (let index = 0; index < 1_001; index += 1) {
        await recordEvent(tx, { kind: "login", asn: "1" }, origin, now - 401 * dayMs);
      }
    });
    await record("2", 399);
    await record("3", 31);
    await record("4", 29);
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
