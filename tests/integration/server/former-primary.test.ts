/**
 * A server whose PostgreSQL failed over, and whose connections still lead to the former primary: that one is read-only, and
 * its data is out of date. New connections lead to the new primary.
 */
import pg from "pg";
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { type PostgresCluster, startPostgresCluster } from "../../support/postgres-cluster.ts";
import { runSql } from "../../support/databases.ts";
import { peerUpdate, signUp, waitForTask } from "./participant.ts";
import { sharedNetwork } from "./shared-network.ts";

const asn = "4242420001";
const body = { username: asn };

test("the first change after a failover ends with 503, and no old connection is used after it", async () => {
  await using cluster = await startPostgresCluster();
  await using network = await sharedNetwork(cluster.adminUrl, { servers: 1 });
  const participant = await signUp(network.urls[0] ?? "", asn);
  const { call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [body, peerUpdate({ node: "syd01" })]);
  await waitForTask(participant, taskID);
  const before = await connectionsOf(cluster);
  expect(before.length).toBeGreaterThan(2);

  await makeOpenConnectionsReadOnly(cluster);
  const update = peerUpdate({ node: "per01" });
  await expect(call(calls.updatePeerConfig, [body, update])).rejects.toMatchObject({
    status: 503,
    body: {
      message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
    },
  });
  const { taskID: next } = await call(calls.updatePeerConfig, [body, update]);
  // The deployer's lock and the events are on connections of their own.
  expect(await waitForTask(participant, next)).toMatchObject({ status: "success" });
  await expect
    .poll(async () => (await connectionsOf(cluster)).filter((pid) => before.includes(pid)))
    .toEqual([]);
  expect(await countListeners(cluster)).toBe(1);
});

/** As if they led to a former primary: a setting of the database has priority in connections that are opened after it. */
async function makeOpenConnectionsReadOnly({ adminUrl }: PostgresCluster): Promise<void> {
  await runSql(adminUrl, "ALTER DATABASE postgres SET default_transaction_read_only = off");
  await runSql(adminUrl, "ALTER SYSTEM SET default_transaction_read_only = on");
  await runSql(adminUrl, "SELECT pg_reload_conf()");
}

/** The process IDs of the servers' connections. */
function connectionsOf(cluster: PostgresCluster): Promise<readonly number[]> {
  return ask(
    cluster,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
}

async function countListeners(cluster: PostgresCluster): Promise<number> {
  return (await ask(cluster, "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")).length;
}

async function ask({ adminUrl }: PostgresCluster, statement: string): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(statement);
  await client.end();
  return rows.map(({ pid }) => pid);
}
