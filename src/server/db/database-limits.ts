/** How long the server waits for its database. All times are in milliseconds. */
export interface DatabaseLimits {
  /** How long a statement waits for a lock that another transaction holds, or SQLite for its one writer. */
  readonly lockWaitMs: number;
  /** How long PostgreSQL works on a statement, waits for locks included. 0: no limit. */
  readonly statementMs: number;
  /** How long this server waits for PostgreSQL's response to a statement. 0: no limit. */
  readonly responseMs: number;
  /** How long a statement waits for a connection, and a new connection for PostgreSQL. */
  readonly connectMs: number;
  /** After this time without a statement PostgreSQL ends a transaction of this server. */
  readonly idleInTransactionMs: number;
}

/**
 * A page waits 15 s for a response (`responseTimeoutMs`), so waiting for a connection (5 s) and then for a response
 * (8 s) still ends with a 503. The server's statements take milliseconds. PostgreSQL ends a slow one before the server
 * gives up, because the connection then stays usable and the outcome is known. A transaction contains only statements,
 * so it is never idle unless its server hangs.
 */
export const defaultLimits: DatabaseLimits = {
  lockWaitMs: 5_000,
  statementMs: 7_000,
  responseMs: 8_000,
  connectMs: 5_000,
  idleInTransactionMs: 10_000,
};

/**
 * A migration may rewrite a large table. It does not wait long for a lock: other servers' statements queue behind an
 * `ALTER TABLE` that waits.
 */
export const migrationLimits: DatabaseLimits = {
  ...defaultLimits,
  lockWaitMs: 10_000,
  statementMs: 0,
  responseMs: 0,
  idleInTransactionMs: 0,
};
