/**
 * Changes beside each other at two servers of one PostgreSQL. A trigger stops each change between what it has checked and its
 * commit, so that another one meets it there.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { calls } from "#contract/calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { readNewestGeneration } from "#server/db/generation.ts";
import type { Database } from "#server/db/open.ts";
import { isDatabaseUnavailable } from "#server/db/unavailable.ts";
import { blockAccount, unblockAccount } from "#server/features/accounts/blocks.ts";
import { type DesiredPeering, findDesired } from "#server/features/peerings/desired-peerings.ts";
import type { RecoveryPlan } from "#server/features/peerings/recovery/plan-recovery.ts";
import { applyRecoveryPlan } from "#server/features/peerings/recovery/recover-node.ts";
import { addNodes, readNodes } from "#server/nodes/node-rows.ts";
import { removeNode } from "#server/features/peerings/removed-nodes/remove-node.ts";
import {
  createTestDatabase,
  leaveOpen,
  openAsServer,
  postgresTemplate,
  runSql,
} from "../../support/databases.ts";
import {
  caller,
  deletePeering,
  deployPeering,
  type Participant,
  randomKey,
  signUp,
  submitPeering,
  waitForTask,
} from "./participant.ts";
import { demoProfile, profileServer } from "./profile-server.ts";

const password = "a sentence for the tests";
const nodes = demoProfile.nodes.map((node) =>
  Object.assign({}, node, { maxPeerings: node.name === "syd01" ? 1 : null }),
);
const stop = `
  CREATE FUNCTION stop_change() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END';
  CREATE TRIGGER stop_change BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION stop_change();
  CREATE TRIGGER stop_change BEFORE INSERT ON peerings FOR EACH ROW WHEN (NEW.asn = '4242420099')
    EXECUTE FUNCTION stop_change()`;

const parts = new AsyncDisposableStack();
let databaseUrl = "";
let database: Database;
let firstUrl = "";
let one: Participant;
let two: Participant;
const noAgents = createAgentClient(new Map());

beforeAll(async () => {
  ({ url: databaseUrl } = parts.use(await createTestDatabase(postgresTemplate)));
  const { urls } = parts.use(
    await profileServer(
      {},
      {
        at: { kind: "postgres", url: databaseUrl },
        servers: 2,
        profile: { nodes },
        limitNumbers: {
          changePerPeering: { points: 1_000, seconds: 60 },
          changePerAs: { points: 1_000, seconds: 60 },
        },
      },
    ),
  );
  const [first = "", second = ""] = urls;
  firstUrl = first;
  one = await signUp(first, "4242420001", password);
  const other = await signUp(first, "4242420002", password);
  two = { ...other, call: caller(second, other.cookie) };
  database = parts.use(await openAsServer({ kind: "postgres", url: databaseUrl }));
  await runSql(databaseUrl, stop);
});
afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  for (const participant of [one, two])
    for (const node of await participant.call(calls.getPeeredNodes, { username: participant.asn }))
      await deletePeering(participant, node);
});

interface Submit extends Partial<PeerUpdate> {
  readonly by: Participant;
  readonly node: string;
}

/** Waits for the tasks of those that are accepted. Returns the status codes, those of errors in order. */
async function submitTogether(...submits: readonly Submit[]): Promise<readonly number[]> {
  const settled = await Promise.allSettled(
    submits.map(async ({ by, node, ...changes }) => waitForTask(by, await submitPeering(by, node, changes))),
  );
  return settled
    .map((result) => (result.status === "fulfilled" ? 200 : (result.reason as { status: number }).status))
    .toSorted((left, right) => left - right);
}

/** Resolves when so many transactions are between their checks and their commits. */
async function reachStop(): Promise<void> {
  const stopped =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  await expect
    .poll(async () => (await runSql(databaseUrl, stopped)).length, { interval: 5 })
    .toBeGreaterThan(0);
}

test("of two ASes that submit one public key on different nodes, one is refused", async () => {
  const public_key = randomKey();
  expect(
    await submitTogether({ by: one, node: "per01", public_key }, { by: two, node: "de01", public_key }),
  ).toEqual([200, 409]);
});

test("of two ASes that submit for the last place on a node, one is refused", async () => {
  expect(await submitTogether({ by: one, node: "syd01" }, { by: two, node: "syd01" })).toEqual([200, 422]);
});

test("a block, and the start of an account's deletion, wait for a submit that was accepted before", async () => {
  const three = await signUp(firstUrl, "4242420003", password);
  const four = await signUp(firstUrl, "4242420004", password);
  // The deletion comes last: its own tasks would be taken for the submit that is stopped.
  const bars: ReadonlyArray<readonly [Participant, () => Promise<unknown>]> = [
    [three, () => blockAccount({ ...database, clock: Date.now }, three.asn, "a test")],
    [four, () => four.call(calls.deleteAccount, { username: four.asn, password })],
  ];
  for (const [by, bar] of bars) {
    const submit = submitPeering(by, "per01");
    await reachStop();
    await bar();
    expect(await findDesired(database.db, by.asn, "per01")).not.toBeNull();
    await submit;
  }
  await four.call(calls.cancelAccountDeletion, { username: four.asn }).catch(() => undefined);
  await expect.poll(() => runSql(databaseUrl, "SELECT id FROM tasks WHERE status = 'waiting'")).toEqual([]);
});

test("a recovery of a node's peerings waits for submits, and submits wait for it", async () => {
  const { db } = database;
  const public_key = randomKey();
  await deployPeering(two, "per01", { public_key });
  const known = await findDesired(db, two.asn, "per01");
  if (!known) throw new Error("the peering is missing");
  await deletePeering(two, "per01");
  const recovered = { ...known, asn: "4242420099" };
  const recovery = applyRecoveryPlan({ db, agents: noAgents, clock: Date.now }, planOf(recovered));
  await reachStop();
  expect(await submitTogether({ by: one, node: "de01", public_key })).toEqual([409]);
  await recovery;
  const notices: string[] = [];
  const forget = () =>
    removeNode(
      { db, clock: Date.now, writeNotice: async (_tx, { asn }) => void notices.push(asn) },
      { node: "per01", reason: null, keep: true },
    );
  const submit = submitPeering(one, "per01");
  await reachStop();
  await expect(forget()).rejects.toThrow("1 peering has an unfinished deployment");
  await waitForTask(one, await submit);
  const node = (await readNodes(db)).filter(({ name }) => name === "per01");
  await forget();
  await addNodes(db, node, Date.now());
  // The peering of the account whose deletion was cancelled may have been removed before, or not.
  expect(notices).toEqual(expect.arrayContaining([one.asn, recovered.asn]));
});

test("a change that waits for another program's lock delays no change on another node", async () => {
  await deployPeering(one, "per01");
  const lock = `UPDATE peerings SET asn = asn WHERE asn = '${one.asn}' AND node = 'per01'`;
  await using _open = await leaveOpen(databaseUrl, lock);
  let isWaiting = true;
  const edit = submitPeering(one, "per01")
    .catch((error: unknown) => error)
    .finally(() => (isWaiting = false));
  const waiting =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'";
  await expect.poll(async () => (await runSql(databaseUrl, waiting)).length, { interval: 5 }).toBe(1);
  await submitPeering(two, "de01");
  expect(isWaiting).toBe(true);
  expect(await edit).toMatchObject({ status: 503 });
});

test("changes of every kind at once end without a deadlock, and each peering's numbers grow in the order of its tasks", async () => {
  await runSql(databaseUrl, "DROP TRIGGER stop_change ON tasks; DROP TRIGGER stop_change ON peerings");
  const operator = { ...database, clock: Date.now };
  const { db } = database;
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  const repeat = async (change: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; turn < 4; turn += 1) await change(turn).catch(note);
  };
  const places = ["per01", "de01", "ny01", "za01"].flatMap((node) => [one, two].map((by) => ({ by, node })));
  const newest = await readNewestGeneration(db);
  await Promise.all([
    ...places.map(({ by, node }) =>
      repeat(async (turn) =>
        turn % 3 === 2
          ? by.call(calls.deletePeer, { username: by.asn, node })
          : waitForTask(by, await submitPeering(by, node, { remote_port: String(1_000 + turn) })),
      ),
    ),
    repeat(async () => {
      await blockAccount(operator, "4242420003", "a test");
      await unblockAccount(operator, "4242420003");
    }),
    repeat(() => applyRecoveryPlan({ db, agents: noAgents, clock: Date.now }, planOf(null))),
  ]);
  // On a busy machine a change may wait for others for too long.
  for (const error of errors.filter((each) => !isDatabaseUnavailable(each)))
    expect(error).toMatchObject({ status: expect.toBeOneOf([404, 409, 503]) });
  await expect.poll(() => runSql(databaseUrl, "SELECT id FROM tasks WHERE status = 'waiting'")).toEqual([]);
  expect(
    await runSql(
      databaseUrl,
      "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    ),
  ).toEqual([{ deadlocks: 0 }]);
  expect(await readNewestGeneration(db)).toBeGreaterThan(newest);
  const tasks = await db
    .selectFrom("tasks")
    .select(["asn", "node", "generation"])
    .orderBy("created_at")
    .execute();
  for (const ofPeering of Map.groupBy(tasks, ({ asn, node }) => `${asn} ${node}`).values()) {
    const numbers = ofPeering.map(({ generation }) => generation);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
  }
});

/** A recovery of the one peering, or of none. */
function planOf(added: DesiredPeering | null): RecoveryPlan {
  return {
    node: "per01",
    add: added ? [added] : [],
    change: [],
    remove: [],
    pair: [],
    resolved: [],
    unchanged: 0,
    ignored: 0,
    newestGeneration: 0,
    obstacles: [],
  };
}
