/** A server whose PostgreSQL is kept waiting: by the open transaction of another program, or by a silent network. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { defaultLimits } from "#server/db/database-limits.ts";
import { openDatabase } from "#server/db/open.ts";
import { isDatabaseUnavailable } from "#server/db/unavailable.ts";
import { createTestDatabase, postgresTemplate, type PostgresTestDatabase } from "../../support/databases.ts";
import { logIn, type Participant, peerUpdate, signUp, waitForTask } from "./participant.ts";
import { type SharedNetwork, sharedNetwork } from "./shared-network.ts";
import { openSilentRelay, type SilentRelay } from "./silent-relay.ts";

const asn = "4242420001";
const body = { username: asn };
const nothingSaved = {
  status: 503,
  body: {
    message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
  },
};

interface Setup extends AsyncDisposable {
  readonly database: PostgresTestDatabase;
  readonly network: SharedNetwork;
  readonly url: string;
  readonly participant: Participant;
}

async function setUp(databaseLimits: Parameters<typeof sharedNetwork>[1]): Promise<Setup> {
  await using parts = new AsyncDisposableStack();
  const database = parts.use(await createTestDatabase(postgresTemplate));
  const network = parts.use(await sharedNetwork(database.url, databaseLimits));
  const [url = ""] = network.urls;
  const participant = await signUp(url, asn);
  const all = parts.move();
  return { database, network, url, participant, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Runs statements in a transaction of another program, which stays open until it is disposed. */
async function leaveOpen(databaseUrl: string, statements: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`BEGIN; ${statements}`);
  return { [Symbol.asyncDispose]: () => client.end() };
}

/** How many statements wait for a lock. */
async function countWaiting(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  await client.end();
  return Number(rows[0]?.count);
}

const submit = ({ call }: Participant, update: ReturnType<typeof peerUpdate>) =>
  call(calls.updatePeerConfig, [body, update]);

async function expectReads({ call }: Participant): Promise<void> {
  expect(await call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: true });
  await call(calls.getPeeredNodes, body);
  await call(calls.getTasks, body);
  await call(calls.getNodeStatus, { ...body, node: "syd01" });
}

test("behind a locked row or table many submits end with 503, and others respond meanwhile", async () => {
  await using setup = await setUp({});
  const { database, url, participant } = setup;
  const updates = ["syd01", "per01", "de01"].map((node) => peerUpdate({ node }));
  for (const lock of ["UPDATE counters SET value = value", "LOCK TABLE tasks"]) {
    const errors: unknown[] = [];
    {
      await using _open = await leaveOpen(database.url, lock);
      const burst = new AbortController();
      async function submitAgain(update: ReturnType<typeof peerUpdate>): Promise<void> {
        while (!burst.signal.aborted)
          errors.push(await submit(participant, update).catch((reason: unknown) => reason));
      }
      const submits = Array.from({ length: 12 }, () => updates.map(submitAgain)).flat();
      await expect.poll(() => countWaiting(database.url)).toBeGreaterThanOrEqual(20);
      for (let round = 0; round < 2; round += 1) {
        const { call } = await logIn(url, asn);
        expect(await call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: true });
        await call(calls.getNodeHistory, undefined);
      }
      burst.abort();
      await Promise.all(submits);
    }
    for (const error of errors) expect([lock, error]).toMatchObject([lock, nothingSaved]);
  }
  const { taskID } = await submit(participant, peerUpdate({ node: "syd01" }));
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
});

test("a request behind a locked table waits for five seconds at most", () => {
  const { connectMs, lockWaitMs } = defaultLimits;
  // For a connection, for the counter behind other submits, and for the table.
  expect(connectMs + 2 * lockWaitMs).toBeLessThanOrEqual(5_000);
});

describe("with short limits", () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp({ databaseLimits: { lockWaitMs: 200 } });
  });
  afterAll(() => setup[Symbol.asyncDispose]());

  test("a submit that waits for a locked row ends with 503 and changes nothing", async () => {
    const { database, participant } = setup;
    const update = peerUpdate({ node: "syd01" });
    {
      await using _open = await leaveOpen(database.url, "UPDATE counters SET value = value");
      await expect(submit(participant, update)).rejects.toMatchObject(nothingSaved);
      expect(await participant.call(calls.getTasks, body)).toEqual([]);
    }
    const { taskID } = await submit(participant, update);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  });

  test("a login that needs a locked table ends with 503; who is logged in can read and submit", async () => {
    const { database, url, participant } = setup;
    await using _open = await leaveOpen(database.url, "LOCK TABLE accounts");
    await expect(logIn(url, asn)).rejects.toMatchObject(nothingSaved);
    await expectReads(participant);
    const { taskID } = await submit(participant, peerUpdate({ node: "per01" }));
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  });

  test("while all rows are locked, sign-in and reads respond", async () => {
    const { database, url, participant } = setup;
    const statements = [
      "INSERT INTO login_sessions VALUES ('expired', '4242420002', 0, 1, 0, NULL, 'curl')",
      "COMMIT",
      "BEGIN",
      ...["accounts", "account_tokens", "login_sessions", "peerings", "tasks"].map(
        (table) => `UPDATE ${table} SET asn = asn`,
      ),
      "UPDATE counters SET value = value",
    ];
    await using _open = await leaveOpen(database.url, statements.join("; "));
    await expectReads(participant);
    // With the cookie of a login session whose row is locked.
    const login = { username: asn, password: "a sentence for the tests" };
    expect(await participant.call(calls.login, login)).toEqual({});
    await expectReads(await logIn(url, asn));
  });
});

describe("behind a network that falls silent", () => {
  const parts = new AsyncDisposableStack();
  let relay: SilentRelay;
  let url = "";
  let participant: Participant;
  beforeAll(async () => {
    const database = parts.use(await createTestDatabase(postgresTemplate));
    relay = await openSilentRelay(database.url);
    // Long enough for the responses of a busy machine.
    const network = parts.use(await sharedNetwork(relay.url, { databaseLimits: { responseMs: 2_000 } }));
    // Closed before the network, which would wait for the silent connections to end.
    parts.use(relay);
    url = network.urls[0] ?? "";
    participant = await signUp(url, asn);
  });
  afterAll(() => parts.disposeAsync());

  async function readReadiness() {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as unknown };
  }

  test("requests fail, and new connections replace the silent ones", async () => {
    const update = peerUpdate({ node: "syd01" });
    relay.fallSilent();
    await expect(submit(participant, update)).rejects.toMatchObject(nothingSaved);
    await expect
      .poll(() => submit(participant, update).catch((error: unknown) => error), { timeout: 20_000 })
      .toMatchObject({ node: "syd01" });
  });

  test("if the response to a commit is lost, the participant learns that the change may be saved", async () => {
    const update = peerUpdate({ node: "per01" });
    await expect.poll(readReadiness).toMatchObject({ status: 200 });
    relay.silenceAfter("commit");
    await expect(submit(participant, update)).rejects.toMatchObject({
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
    relay.fallSilentForGood();
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
  expect(isDatabaseUnavailable(await hung.catch((error: unknown) => error))).toBe(true);
  expect(await other.db.selectFrom("counters").select("value").execute()).toEqual([{ value: 9 }]);
});
