import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "#server/db/open.ts";
import type { Deliver, OutgoingMail } from "#server/mail/mail.ts";
import { createMailOutbox } from "#server/mail/outbox.ts";
import { mailBackoffMs } from "#server/mail/mail-queue.ts";
import { createLog } from "#server/log.ts";
import { testSealer } from "../../support/test-sealer.ts";
import { describeWithDatabase, type TestDatabase, openAsServer } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";

const dayMs = 86_400_000;
const mail = { to: "ada@example.org", subject: "Hello", text: "the secret link" };

async function openAt(at: TestDatabase): Promise<Database> {
  const database = await openAsServer(at);
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
}

/** Creates an outbox whose deliveries and clock the test controls. */
function outboxAt(database: Database, deliver: Deliver | null) {
  const time = { now: Date.UTC(2026, 0, 20) };
  const lines: string[] = [];
  const outbox = createMailOutbox({
    ...database,
    sealer: testSealer,
    clock: () => time.now,
    retentionClock: () => time.now,
    log: createLog("trace", { write: (line) => void lines.push(line) }),
    deliver,
    supportAddress: "support@example.net",
  });
  onTestFinished(() => outbox[Symbol.asyncDispose]());
  return { outbox, time, lines };
}

const rows = ({ db }: Database) => db.selectFrom("outbox").selectAll().execute();

describeWithDatabase("the mail outbox", { postgres: "share" }, (openDatabase) => {
  test("delivers a mail once and deletes its text", async () => {
    const database = await openAt(await openDatabase());
    const delivered: OutgoingMail[] = [];
    const { outbox, time } = outboxAt(database, async (outgoing) => void delivered.push(outgoing));
    await database.db
      .transaction()
      .execute((tx) => outbox.enqueue(tx, { ...mail, replyTo: "noc@example.net" }));
    outbox.signal();
    await waitFor(async () => expect((await rows(database))[0]?.sent_at).toBe(time.now));
    outbox.signal();
    await outbox[Symbol.asyncDispose]();
    expect(delivered).toEqual([{ ...mail, replyTo: "noc@example.net", id: expect.any(String) as string }]);
    expect(await rows(database)).toMatchObject([{ body: "", attempts: 1, last_error: null }]);
  });

  test("writes no mail of a failed transaction", async () => {
    const database = await openAt(await openDatabase());
    const { outbox } = outboxAt(database, null);
    const failed = database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, mail);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await outbox.listMails()).toEqual([]);
  });

  test("retries a rejected mail with growing pauses, and gives it up after three days", async () => {
    const database = await openAt(await openDatabase());
    let attempts = 0;
    const { outbox, time, lines } = outboxAt(database, async () => {
      attempts += 1;
      throw new Error("451 try again later");
    });
    const begun = time.now;
    await outbox.enqueue(database.db, mail);
    const due: number[] = [];
    for (;;) {
      const expected = due.length + 1;
      // Signals before the next attempt is due start no attempt.
      await waitFor(async () => {
        outbox.signal();
        const [row] = await rows(database);
        expect(row?.attempts ?? attempts).toBe(expected);
      });
      expect(attempts).toBe(expected);
      const [row] = await rows(database);
      if (!row) break;
      expect(row).toMatchObject({ last_error: "451 try again later", sent_at: null });
      due.push(row.next_attempt_at - time.now);
      time.now = row.next_attempt_at;
    }
    expect(due).toEqual(due.map((_, index) => mailBackoffMs(index + 1)));
    expect(due.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
    expect(Math.max(...due)).toBe(4 * 3_600_000);
    expect(time.now - begun).toBeGreaterThanOrEqual(3 * dayMs);
    expect(time.now - begun).toBeLessThan(4 * dayMs);
    expect(lines.join("\n")).toContain("mail given up");
    expect(lines.join("\n")).not.toContain(mail.text);
  });

  test("stores mail without a mail server and lists the newest first", async () => {
    const database = await openAt(await openDatabase());
    const { outbox, time } = outboxAt(database, null);
    outbox.start();
    await outbox.enqueue(database.db, mail);
    time.now += 1;
    const later = { ...mail, subject: "Later", replyTo: "ada@example.org" };
    await outbox.enqueue(database.db, later);
    outbox.signal();
    expect(await outbox.listMails()).toEqual([
      { ...later, at: "2026-01-20T00:00:00.001Z" },
      { ...mail, replyTo: null, at: "2026-01-20T00:00:00.000Z" },
    ]);
  });

  test.each([
    { ...mail, to: "a@b.co\r\nBcc: x@y.co" },
    { ...mail, subject: "Hello\r\nBcc: x@y.co" },
    { ...mail, replyTo: "Ada <ada@example.org>" },
  ])("rejects a mail that could inject a header: %j", async (bad) => {
    const database = await openAt(await openDatabase());
    const { outbox } = outboxAt(database, null);
    await expect(outbox.enqueue(database.db, bad)).rejects.toThrow("not safe in a header");
  });
});

describeWithDatabase("the mail outbox of two servers", { postgres: "always" }, (openDatabase) => {
  test("delivers every mail once", async () => {
    const at = await openDatabase();
    const database = await openAt(at);
    const other = at.kind === "postgres" ? await openAt(at) : database;
    const delivered: string[] = [];
    const deliver: Deliver = async ({ id }) => {
      await nextTurn();
      delivered.push(id);
    };
    const [one, two] = [outboxAt(database, deliver), outboxAt(other, deliver)];
    for (let count = 0; count < 12; count += 1) await one.outbox.enqueue(database.db, mail);
    one.outbox.signal();
    two.outbox.signal();
    await waitFor(async () => {
      one.outbox.signal();
      expect((await rows(database)).every(({ sent_at }) => sent_at !== null)).toBe(true);
    });
    await Promise.all([one.outbox[Symbol.asyncDispose](), two.outbox[Symbol.asyncDispose]()]);
    expect(delivered).toHaveLength(12);
    expect(new Set(delivered).size).toBe(12);
  });
});
