/** What all connections to PostgreSQL have in common. */
import pg from "pg";
import { ReadOnlyServerError } from "../unavailable.ts";

/** Names the connections in `pg_stat_activity`, and detects within half a minute that the database's host has disappeared. */
export const ownConnection = {
  fallback_application_name: "peerdeck",
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/**
 * PostgreSQL then detects as quickly that this host has disappeared, and releases its locks. Not set in the connection's
 * `options`, which poolers reject and the URL may define itself. Node.js cannot set the socket option TCP_USER_TIMEOUT;
 * on this side the limit of a response has the same effect.
 */
const keepaliveSettings =
  "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; " +
  "SET tcp_user_timeout = 25000";

/**
 * Runs the first queries of a connection.
 *
 * @param settings further statements
 * @throws {ReadOnlyServerError} if the server is read-only, as a former primary is after a failover
 */
export async function prepareConnection(client: pg.ClientBase, settings: readonly string[]): Promise<void> {
  await client.query([keepaliveSettings, ...settings].join("; "));
  const { rows } = await client.query<{ isReadOnly: boolean }>(`SELECT ${isReadOnly} AS "isReadOnly"`);
  if (rows[0]?.isReadOnly === true)
    throw new ReadOnlyServerError("the database's address leads to a read-only server");
}

/** An SQL expression: whether the server is read-only. */
export const isReadOnly = "current_setting('transaction_read_only') = 'on'";

/** Opens a connection that is not part of the pool. A query on it waits five seconds at most. */
export async function openDedicated(url: string, onError: (error: unknown) => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    ...ownConnection,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on("error", onError);
  try {
    await client.connect();
    await prepareConnection(client, []);
    return client;
  } catch (error) {
    await client.end().catch(onError);
    throw error;
  }
}
