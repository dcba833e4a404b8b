/**
 * PostgreSQL as a provider runs it who must not lose a change: a primary, a streaming replica that confirms every
 * commit (`synchronous_standby_names`), and one address that leads to the primary, as a proxy or a virtual address does.
 *
 * Invariant: a failover begins only when the replica confirms commits, so a confirmed commit is on both.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type PostgresCluster, startPostgresCluster } from "#tests/support/postgres-cluster.ts";
import { openTcpRelay } from "#tests/support/tcp-relay.ts";

export interface ReplicatedPostgres extends AsyncDisposable {
  /** The URL of an empty database through the address. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Ends the primary without a shutdown and starts it again. */
  readonly crash: (signal: "SIGQUIT" | "SIGKILL") => Promise<void>;
  /** The primary is killed, and the replica takes over. */
  readonly failOver: () => Promise<void>;
  /**
   * The replica takes over while the former primary keeps running, read-only, with all of its connections: as in managed
   * services, and where an operator moves the address.
   */
  readonly switchOver: () => Promise<void>;
}

const settings = {
  synchronous_commit: "on",
  full_page_writes: "on",
  // The defaults are 5 s and more, for networks.
  wal_retrieve_retry_interval: "100ms",
};

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  await using parts = new AsyncDisposableStack();
  let primary = parts.use(await startPostgresCluster({ settings }));
  const address = parts.use(await openTcpRelay(portOf(primary)));
  let all: AsyncDisposableStack = parts;
  let replica = await addReplica();
  let former: PostgresCluster | null = null;

  /** Starts a replica of the primary, which confirms every commit once it has caught up. */
  async function addReplica(): Promise<PostgresCluster> {
    const added = all.use(await startPostgresCluster({ settings, primary }));
    await runSql(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await runSql(primary, "SELECT pg_reload_conf()");
    return added;
  }

  const waitForReplica = () =>
    waitForTrue(primary, "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'");

  async function promote(): Promise<void> {
    await former?.[Symbol.asyncDispose]();
    await runSql(replica, "SELECT pg_promote()");
    former = primary;
    primary = replica;
    address.moveTo(portOf(primary));
    replica = await addReplica();
  }

  all = parts.move();
  return {
    createDatabase: async (name) => {
      await runSql(primary, `CREATE DATABASE ${name}`);
      const url = new URL(`/${name}`, primary.adminUrl);
      url.port = String(address.port);
      return url.href;
    },
    crash: async (signal) => {
      await primary.crash(signal);
      await primary.restart();
    },
    failOver: async () => {
      await waitForReplica();
      await primary.crash("SIGKILL");
      await promote();
    },
    switchOver: async () => {
      await waitForReplica();
      await runSql(primary, "ALTER SYSTEM SET default_transaction_read_only = on");
      await runSql(primary, "SELECT pg_reload_conf()");
      await waitForTrue(primary, "SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_xid IS NOT NULL");
      await promote();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const portOf = ({ adminUrl }: PostgresCluster) => Number(new URL(adminUrl).port);

async function runSql({ adminUrl }: PostgresCluster, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: "array" });
    return rows.flat();
  } finally {
    await client.end();
  }
}

async function waitForTrue(cluster: PostgresCluster, statement: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const [value] = await runSql(cluster, statement);
    if (value === true) return;
    if (performance.now() > deadline) throw new Error(`PostgreSQL does not reach: ${statement}`);
    await pause(50);
  }
}
