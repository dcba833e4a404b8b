/** A server whose PostgreSQL is kept waiting: by the open transaction of another program, or by a silent network. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { defaultLimits } from "#server/db/database-limits.ts";
import { openDatabase } from "#server/db/open.ts";
import { isDatabaseUnavailable } from "#server/db/unavailable.ts";
import { createTestDatabase, leaveOpen, postgresTemplate, runSql } from "../../support/databases.ts";
import { openTcpRelay, type TcpRelay } from "../../support/tcp-relay.ts";
import { deployPeering, logIn, type Participant, signUp, submitPeering } from "./participant.ts";
import { patientLimits, profileServer } from "./profile-server.ts";

const asn = "4242420001";
const body = { username: asn };
const nothingSaved = {
  status: 503,
  body: {
    message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
  },
};

const errorOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** How many statements wait for a lock. */
async function countWaiting(databaseUrl: string): Promise<number> {
  const waiting = await runSql(
    databaseUrl,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return waiting.length;
}

async function expectReads({ call }: Participant): Promise<void> {
  expect(await call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: true });
  await call(calls.getPeeredNodes, body);
  await call(calls.getTasks, body);
  await call(calls.getNodeStatus, { ...body, node: "syd01" });
}

test("once it is its turn, a request behind a locked table waits for five seconds at most, and longer for a connection than for a lock", () => {
  const { connectMs, lockWaitMs } = defaultLimits;
  // For a connection, behind another change of the node, and for the table.
  expect(connectMs + 2 * lockWaitMs).toBeLessThanOrEqual(5_000);
  expect(connectMs).toBeGreaterThan(lockWaitMs);
});

describe("behind another program's locks", () => {
  const parts = new AsyncDisposableStack();
  let databaseUrl: string;
  let url: string;
  let participant: Participant;
  beforeAll(async () => {
    ({ url: databaseUrl } = parts.use(await createTestDatabase(postgresTemplate)));
    const databaseLimits = { lockWaitMs: 800, connectMs: 2_000 };
    ({ url } = parts.use(
      await profileServer({}, { at: { kind: "postgres", url: databaseUrl }, databaseLimits }),
    ));
    participant = await signUp(url, asn);
  });
  afterAll(() => parts.disposeAsync());

  test.each(["LOCK TABLE counters", "LOCK TABLE tasks"])(
    "many submits end with 503 and change nothing, and others respond meanwhile: %s",
    async (lock) => {
      const errors: unknown[] = [];
      {
        await using _open = await leaveOpen(databaseUrl, lock);
        const burst = new AbortController();
        async function submitAgain(node: string): Promise<void> {
          while (!burst.signal.aborted) errors.push(await errorOf(submitPeering(participant, node)));
        }
        const nodes = Array.from({ length: 12 }, () => ["syd01", "per01", "de01"]).flat();
        const submits = nodes.map(submitAgain);
        await expect.poll(() => countWaiting(databaseUrl)).toBeGreaterThanOrEqual(15);
        const { call } = await logIn(url, asn);
        expect(await call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: true });
        await call(calls.getNodeHistories, undefined);
        burst.abort();
        await Promise.all(submits);
      }
      for (const error of errors) expect(error).toMatchObject(nothingSaved);
      expect(await participant.call(calls.getTasks, body)).toEqual([]);
    },
  );

  test("a login that needs a locked table ends with 503; who is logged in can read and submit", async () => {
    await using _open = await leaveOpen(databaseUrl, "LOCK TABLE account_notices");
    await expect(logIn(url, asn)).rejects.toMatchObject(nothingSaved);
    await expectReads(participant);
    await deployPeering(participant, "per01");
  });

  test("while all rows are locked, sign-in and reads respond", async () => {
    const statements = [
      "INSERT INTO login_sessions VALUES ('expired', '4242420002', 0, 1, 0, NULL, 'curl')",
      "COMMIT",
      "BEGIN",
      ...["accounts", "account_tokens", "login_sessions", "peerings", "tasks"].map(
        (table) => `UPDATE ${table} SET asn = asn`,
      ),
      "UPDATE counters SET value = value",
    ];
    await using _open = await leaveOpen(databaseUrl, statements.join("; "));
    await expectReads(participant);
    // With the cookie of a login session whose row is locked.
    const login = { username: asn, password: "a sentence for the tests" };
    expect(await participant.call(calls.login, login)).toEqual({});
    await expectReads(await logIn(url, asn));
  });
});

describe("behind a network that falls silent", () => {
  const parts = new AsyncDisposableStack();
  let relay: TcpRelay;
  let url = "";
  let participant: Participant;
  beforeAll(async () => {
    const database = parts.use(await createTestDatabase(postgresTemplate));
    relay = await openTcpRelay(Number(new URL(database.url).port));
    // Long enough for the responses of a busy machine.
    const databaseLimits = { ...patientLimits, responseMs: 1_000 };
    ({ url } = parts.use(
      await profileServer({}, { at: { kind: "postgres", url: relay.through(database.url) }, databaseLimits }),
    ));
    // Closed before the server, which would wait for the silent connections to end.
    parts.use(relay);
    participant = await signUp(url, asn);
  });
  afterAll(() => parts.disposeAsync());

  async function readReadiness() {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as unknown };
  }

  test("requests fail, and new connections replace the silent ones", async () => {
    relay.fallSilent();
    await expect(submitPeering(participant, "syd01")).rejects.toMatchObject(nothingSaved);
    // In parallel, because each request waits on one silent connection.
    const submitMany = () =>
      Promise.all(Array.from({ length: 10 }, () => errorOf(submitPeering(participant, "syd01"))));
    await expect.poll(submitMany, { timeout: 20_000 }).toContainEqual(expect.any(String));
  });

  test("if the response to a commit is lost, the participant learns that the change may be saved", async () => {
    await expect.poll(readReadiness).toMatchObject({ status: 200 });
    relay.silenceAfter("commit");
    await expect(submitPeering(participant, "per01")).rejects.toMatchObject({
      status: 503,
      body: {
        message:
          "The server lost its database while it was saving, so your change may be saved or not. " +
          "Reload in a minute, and try again if it is missing.",
      },
    });
    relay.silenceAfter(null);
    // On a busy disk PostgreSQL may commit later than the server waits. The task may have ended when it is seen.
    await expect
      .poll(() => participant.call(calls.getPeeredNodes, body).catch(() => []), { timeout: 20_000 })
      .toContain("per01");
  });

  test("the server is not ready, and says without details which check fails", async () => {
    await expect.poll(readReadiness).toMatchObject({ status: 200 });
    // The server's own queries replace silent connections, so new ones must be silent too.
    relay.moveTo("hang");
    relay.fallSilent();
    expect(await readReadiness()).toMatchObject({
      status: 503,
      body: {
        status: "unavailable",
        checks: { database: { status: "unavailable" }, registry: { status: "ok" } },
      },
    });
  });
});

test("PostgreSQL ends a transaction whose server hangs, and another server continues", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  const options = { dataDir: "", url: database.url, onError: () => undefined };
  await using hanging = await openDatabase({ ...options, limits: { idleInTransactionMs: 100 } });
  await using other = await openDatabase(options);
  const hasLocked = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const hung = hanging.db.transaction().execute(async (tx) => {
    await tx.updateTable("counters").set({ value: 7 }).execute();
    hasLocked.resolve();
    await resumed.promise;
    await tx.updateTable("counters").set({ value: 8 }).execute();
  });
  await hasLocked.promise;
  await other.db.updateTable("counters").set({ value: 9 }).execute();
  resumed.resolve();
  expect(isDatabaseUnavailable(await errorOf(hung))).toBe(true);
  expect(await other.db.selectFrom("counters").select("value").execute()).toEqual([{ value: 9 }]);
});
