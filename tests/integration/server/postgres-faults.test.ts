/** Two servers whose PostgreSQL stops and restarts, and that act at the same time. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { type PostgresCluster, startPostgresCluster } from "../../support/postgres-cluster.ts";
import { runSql } from "../../support/databases.ts";
import {
  caller,
  deployPeering,
  logIn,
  waitForTask,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
  submitPeering,
} from "./participant.ts";
import {
  patientLimits,
  type ProfileServer,
  type ProfileServerOptions,
  profileServer,
} from "./profile-server.ts";

const asn = "4242420001";
const nothingSaved = {
  status: 503,
  body: {
    message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
  },
};
let cluster: PostgresCluster;
let servers: ProfileServer;
let here: Participant;
let there: Participant;

const start = (options: ProfileServerOptions) =>
  profileServer(
    {},
    { ...options, databaseLimits: patientLimits, at: { kind: "postgres", url: cluster.adminUrl } },
  );

beforeAll(async () => {
  cluster = await startPostgresCluster();
  // The nodes take long enough for concurrent changes.
  servers = await start({ servers: 2, timeScale: 0.1 });
  const [first = "", second = ""] = servers.urls;
  here = await signUp(first, asn);
  there = { ...here, call: caller(second, here.cookie) };
});
afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const submit = (who: Participant, update: ReturnType<typeof peerUpdate>) =>
  who.call(calls.updatePeerConfig, [{ username: asn }, update]);
const logged = (message: string) => servers.log.filter(({ msg }) => msg === message);

test("the same submit to both servers is one task that one of them deploys", async () => {
  const update = peerUpdate({ node: "syd01" });
  const tasks = await Promise.all(
    Array.from({ length: 20 }, (_, index) => submit(index % 2 === 0 ? here : there, update)),
  );
  const taskID = tasks[0]?.taskID ?? "";
  expect(new Set(tasks.map((task) => task.taskID))).toEqual(new Set([taskID]));
  expect(await waitForTask(there, taskID)).toMatchObject({ status: "success" });
  // The server logs after the transaction that a client can already see.
  await expect.poll(() => logged("deployment ended").map(({ task }) => task)).toEqual([taskID]);
});

test("of two concurrent changes of a peering one is deployed and the other is rejected with 409", async () => {
  const edits = [here, there].map((who, index) =>
    submit(who, peerUpdate({ node: "syd01", remote_port: String(4000 + index) })),
  );
  const settled = await Promise.allSettled(edits);
  const won = settled.flatMap((edit) => (edit.status === "fulfilled" ? [edit.value] : []));
  const lost = settled.flatMap((edit) => (edit.status === "rejected" ? [edit.reason as unknown] : []));
  expect(won).toHaveLength(1);
  expect(lost).toMatchObject([{ status: 409 }]);
  expect(await waitForTask(here, won[0]?.taskID ?? "")).toMatchObject({ status: "success" });
});

test("while the database is down no submit is accepted; afterwards deployments continue and both servers listen", async () => {
  await setNodeMode(servers.url, "de01", "offline");
  const taskID = await submitPeering(here, "de01");
  await expect
    .poll(async () => (await here.call(calls.getTaskStatus, { username: asn, taskID })).reason)
    .toBe("de01.demo.dn42 cannot be reached. Trying again…");

  await cluster.stop();
  // The pooled connections break first, then new ones are refused.
  for (const who of [here, there, here, there, here, there]) {
    await expect(submitPeering(who, "per01")).rejects.toMatchObject(nothingSaved);
  }
  // Long enough for several attempts to listen again.
  await expect.poll(() => logged("database connection error").length).toBeGreaterThan(8);
  await cluster.restart();
  await setNodeMode(servers.url, "de01", "normal");

  await expect.poll(listeners).toBe(2);
  expect(await waitForTask(there, taskID)).toMatchObject({ status: "success" });
  expect(await here.call(calls.getPeeredNodes, { username: asn })).toEqual(["de01", "syd01"]);
  await deployPeering(there, "per01");
  expect(await listeners()).toBe(2);
});

test("a login session that ended at one server is rejected by the other", async () => {
  const body = { username: asn };
  expect(await there.call(calls.getPeeredNodes, body)).toContain("syd01");
  await here.call(calls.logout, undefined);
  await expect
    .poll(() => there.call(calls.getPeeredNodes, body).catch((error: unknown) => error))
    .toMatchObject({ status: 401 });
});

test("a foreign notification is logged and has no other effect", async () => {
  const before = logged("database connection error").length;
  await runSql(cluster.adminUrl, "NOTIFY peerdeck, 'not JSON'");
  await expect.poll(() => logged("database connection error").length).toBe(before + 2);
  expect(await here.call(calls.authStatus, undefined)).toMatchObject({ isAuthenticated: false });
});

/**
 * Connections of a server whose PostgreSQL failed over still lead to the former primary: that one is read-only, and its data
 * is out of date. New connections lead to the new primary.
 */
test("the first change after a failover ends with 503, and no old connection is used after it", async () => {
  await servers[Symbol.asyncDispose]();
  const oldest = new pg.Client({ connectionString: cluster.adminUrl });
  await oldest.connect();
  servers = await start({});
  const participant = await logIn(servers.url, asn);
  await deployPeering(participant, "syd01");
  const before = await connections();
  expect(before.length).toBeGreaterThan(2);

  await makeOpenConnectionsReadOnly(oldest);
  await oldest.end();
  const update = peerUpdate({ node: "per01" });
  await expect(submit(participant, update)).rejects.toMatchObject(nothingSaved);
  // The deployer's lock and the events are on connections of their own.
  await deployPeering(participant, "per01", update);
  await expect.poll(async () => (await connections()).filter((pid) => before.includes(pid))).toEqual([]);
  // The server listens again a second after the old connection for events has ended.
  await expect.poll(listeners).toBe(1);
});

/** As if they led to a former primary: a setting of the database has priority in connections that are opened after it. */
async function makeOpenConnectionsReadOnly(oldest: pg.Client): Promise<void> {
  const { adminUrl } = cluster;
  await runSql(adminUrl, "ALTER DATABASE postgres SET default_transaction_read_only = off");
  await runSql(adminUrl, "ALTER SYSTEM SET default_transaction_read_only = on");
  await runSql(adminUrl, "SELECT pg_reload_conf()");
  // Its statement does not wait until all connections have the setting. The oldest one gets it last.
  await expect
    .poll(async () => (await oldest.query("SHOW default_transaction_read_only")).rows)
    .toEqual([{ default_transaction_read_only: "on" }]);
}

/** The process IDs of the servers' connections. */
function connections(): Promise<readonly number[]> {
  return readPids(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
}

/** The number of connections that listen for events. */
async function listeners(): Promise<number> {
  return (await readPids("SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")).length;
}

async function readPids(statement: string): Promise<readonly number[]> {
  return (await runSql<{ pid: number }>(cluster.adminUrl, statement)).map(({ pid }) => pid);
}
