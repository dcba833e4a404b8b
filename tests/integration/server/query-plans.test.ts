/** The plans of the queries that run most often: none reads a whole table that grows with peerings, mails or time. */
import { CompiledQuery, type RootOperationNode, sql } from "kysely";
import { expect, test } from "vitest";
import { createLoginSessions } from "#server/api/login-sessions.ts";
import { isPostgres } from "#server/db/database-version.ts";
import type { Db } from "#server/db/open.ts";
import { findSettlingPeerings } from "#server/features/peerings/deployment/settling.ts";
import {
  findNodesWithUnfinished,
  findRepeatedTask,
  findTask,
  findTasksSince,
  findUnfinishedOfAs,
  findUnfinishedOfPeering,
  findUnfinishedOnNode,
  setTaskGeneration,
} from "#server/features/peerings/deployment/task-store.ts";
import {
  findDesired,
  findDesiredOfAs,
  findDesiredOnNode,
  findVersionsOnNode,
} from "#server/features/peerings/desired-peerings.ts";
import { findHalfHours } from "#server/features/peerings/observed/half-hours.ts";
import { findTraffic } from "#server/features/peerings/observed/traffic.ts";
import { findSessionStates, findSessionStatesOf } from "#server/features/peerings/observed/sessions.ts";
import { createNodeSeries } from "#server/features/observations/node-series.ts";
import { findNewestSampleTime } from "#server/features/observations/store-samples.ts";
import { createMailOutbox } from "#server/mail/outbox.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";

const [asn, node, now] = ["4242420001", "de01", 1_800_000_000_000];

const loginSessions = (db: Db) =>
  createLoginSessions({
    db,
    events: { subscribe: () => undefined, onResync: () => undefined },
    clock: () => now,
    retentionClock: () => now,
  } as never);

const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "a peering": (db) => findDesired(db, asn, node),
  "the peerings of an AS": (db) => findDesiredOfAs(db, asn),
  "the peerings of a node": (db) => findDesiredOnNode(db, node),
  "the versions on a node": (db) => findVersionsOnNode(db, node),
  "a task": (db) => findTask(db, asn, "id"),
  "the unfinished task of a peering": (db) => findUnfinishedOfPeering(db, asn, node),
  "the unfinished tasks of an AS": (db) => findUnfinishedOfAs(db, asn),
  "the unfinished tasks of a node": (db) => findUnfinishedOnNode(db, node),
  "nodes with unfinished tasks": (db) => findNodesWithUnfinished(db),
  "the newest task of a peering": (db) => findRepeatedTask(db, asn, node, "{}", now),
  "the tasks of an AS since a time": (db) => findTasksSince(db, asn, now),
  "the generation of a task": (db) => setTaskGeneration(db, "id", 1),
  "peerings that were just deployed": (db) => findSettlingPeerings(db, [asn], now),
  "all peerings that were just deployed": (db) => findSettlingPeerings(db, null, now),
  "the half hours of an AS": (db) => findHalfHours(db, asn),
  "the session states of an AS": (db) => findSessionStates(db, asn),
  "the session states of a peering": (db) => findSessionStatesOf(db, asn, node),
  "the traffic of an AS": (db) => findTraffic(db, asn, now),
  "the samples of nodes": (db) => createNodeSeries(db, [node])(now),
  "the newest sample": (db) => findNewestSampleTime(db, now),
  "a login session": (db) => loginSessions(db).find("k".repeat(43)),
  "the mails to an address": (db) =>
    createMailOutbox({ db, deliver: null } as never).findMails({ to: "ada@example.net", subject: "" }, now),
};

/** Indexes that contain unfinished tasks alone: there are few. */
const unfinishedTasks = /USING (?:COVERING )?INDEX tasks_(?:one_unfinished|unfinished_on_node)/;

/** Returns the steps of the plans that read a whole table or index. */
async function findScans(db: Db, run: (db: Db) => Promise<unknown>): Promise<readonly string[]> {
  const operations: RootOperationNode[] = [];
  await run(
    db.withPlugin({
      transformQuery: ({ node: operation }) => {
        operations.push(operation);
        return operation;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  const steps: string[] = operations.length === 0 ? ["SCAN: there is no query"] : [];
  await db.transaction().execute(async (tx) => {
    // Tables of a test are so small that PostgreSQL would read them as a whole.
    if (isPostgres(tx)) await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    for (const operation of operations) {
      const compiled = tx.getExecutor().compileQuery(operation, { queryId: "plan" });
      const explain = isPostgres(tx) ? "EXPLAIN (COSTS OFF)" : "EXPLAIN QUERY PLAN";
      const query = CompiledQuery.raw(`${explain} ${compiled.sql}`, [...compiled.parameters]);
      const { rows } = await tx.executeQuery<Readonly<Record<string, unknown>>>(query);
      steps.push(...rows.map((row) => String(row["detail"] ?? row["QUERY PLAN"])));
    }
  });
  return steps.filter((step) => /^SCAN|Seq Scan/.test(step.trim()) && !unfinishedTasks.test(step));
}

describeWithDatabase("the queries that run most often", { postgres: "always" }, (openTestDatabase) => {
  test("use indexes", async () => {
    await using opened = await openAsServer(await openTestDatabase(), (error) => expect.fail(String(error)));
    const scans: Record<string, readonly string[]> = {};
    for (const [name, run] of Object.entries(queries)) {
      const found = await findScans(opened.db, run);
      if (found.length > 0) scans[name] = found;
    }
    expect(scans).toEqual({});
  });
});
