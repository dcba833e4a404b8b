/** Which jumps of the system's clock are noticed, and how long nothing is deleted after one. */
import { expect, onTestFinished, test } from "vitest";
import { watchClock } from "#server/db/clock-jumps.ts";
import type { Db } from "#server/db/open.ts";
import { createLog } from "#server/log.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const start = Date.UTC(2026, 0, 20);

/** A host with a system clock that can jump. */
function createHost(db: Db) {
  const time = { monotonic: 0, ahead: 0 };
  const systemTime = () => start + time.monotonic + time.ahead;
  return {
    systemTime,
    pass: (ms: number) => {
      time.monotonic += ms;
    },
    jump: (ms: number) => {
      time.ahead += ms;
    },
    startServer: () =>
      watchClock({ db, systemTime, monotonicTime: () => time.monotonic, log: createLog("silent") }),
  };
}

describeWithDatabase("jumps of the system's clock", { postgres: "share" }, (openDatabase) => {
  async function open() {
    const { db, ...database } = await openAsServer(await openDatabase());
    onTestFinished(() => database[Symbol.asyncDispose]());
    const host = createHost(db);
    return { db, host, clock: await host.startServer() };
  }

  test("small steps are no jump, also many of them", async () => {
    const { host, clock } = await open();
    for (let step = 0; step < 10; step += 1) {
      host.jump(-4 * minuteMs);
      expect(clock.readRecent()).toBeNull();
      await clock.check();
    }
    expect(clock.retentionClock()).toBe(host.systemTime());
  });

  test.each([
    ["forward", 40 * dayMs],
    ["back", -40 * dayMs],
    ["a little forward", 6 * minuteMs],
  ])("after a jump %s nothing is old enough for 24 hours, from the moment it happens", async (_name, ms) => {
    const { host, clock } = await open();
    host.jump(ms);
    expect(clock.readRecent()).toEqual({ at: host.systemTime(), ms });
    expect(clock.retentionClock()).toBe(0);
    await clock.check();
    host.pass(dayMs - 1);
    await clock.check();
    expect([clock.readRecent()?.ms, clock.retentionClock()]).toEqual([ms, 0]);
    host.pass(1);
    expect([clock.readRecent(), clock.retentionClock()]).toEqual([null, host.systemTime()]);
  });

  test("a clock that is corrected before the next check has jumped twice", async () => {
    const { host, clock } = await open();
    host.jump(-40 * dayMs);
    expect(clock.retentionClock()).toBe(0);
    host.jump(40 * dayMs);
    expect(clock.readRecent()).toEqual({ at: host.systemTime(), ms: 40 * dayMs });
    await clock.check();
    host.pass(dayMs - 1);
    expect(clock.retentionClock()).toBe(0);
  });

  test("the 24 hours begin again when the clock is corrected, and go on in a server that starts", async () => {
    const { host, clock } = await open();
    host.jump(40 * dayMs);
    await clock.check();
    host.pass(60 * minuteMs);
    host.jump(-40 * dayMs);
    await clock.check();
    host.pass(minuteMs);
    const restarted = await host.startServer();
    expect(restarted.readRecent()).toEqual({ at: host.systemTime() - minuteMs, ms: -40 * dayMs });
    host.pass(dayMs - minuteMs - 1);
    expect([clock.retentionClock(), restarted.retentionClock()]).toEqual([0, 0]);
    host.pass(1);
    expect([clock.retentionClock(), restarted.retentionClock()]).toEqual([
      host.systemTime(),
      host.systemTime(),
    ]);
  });

  test("some hours without a server are no jump, unlike those hours while one runs", async () => {
    const { host } = await open();
    host.jump(20 * 60 * minuteMs);
    const clock = await host.startServer();
    expect(clock.readRecent()).toBeNull();
    host.jump(20 * 60 * minuteMs);
    expect(clock.readRecent()).toEqual({ at: host.systemTime(), ms: 20 * 60 * minuteMs });
  });

  test.each([40 * dayMs, -40 * dayMs, -6 * minuteMs])(
    "a server that starts compares with the database: %i ms",
    async (ms) => {
      const { host, clock } = await open();
      expect(clock.readRecent()).toBeNull();
      host.jump(ms);
      expect((await host.startServer()).readRecent()).toEqual({ at: host.systemTime(), ms });
      expect((await host.startServer()).retentionClock()).toBe(0);
    },
  );

  test("waits that a clock ahead has stored end, and short ones stay", async () => {
    const { db, host, clock } = await open();
    const mail = { recipient: "a@example.net", subject: "", body: "", reply_to: null, sent_at: null };
    const attempt = { ...mail, created_at: start, attempts: 1, last_error: null };
    await db
      .insertInto("outbox")
      .values([
        { ...attempt, id: "1", next_attempt_at: start + 40 * dayMs },
        { ...attempt, id: "2", next_attempt_at: start + 240 * minuteMs },
      ])
      .execute();
    await db
      .insertInto("rate_limits")
      .values({ key: "login", points: 5, expire: start + 40 * dayMs })
      .execute();
    host.jump(-6 * minuteMs);
    await clock.check();
    const due = await db.selectFrom("outbox").select("next_attempt_at").orderBy("id").execute();
    expect(due.map((row) => row.next_attempt_at)).toEqual([start - 6 * minuteMs, start + 240 * minuteMs]);
    expect(await db.selectFrom("rate_limits").selectAll().execute()).toEqual([]);
  });
});
