/** How long the server waits for its database. All times are in milliseconds. */
export interface DatabaseLimits {
  /** How long a statement waits for a lock that another transaction holds. */
  readonly lockWaitMs: number;
  /** How long PostgreSQL works on a statement, waits for locks included. 0: no limit. */
  readonly statementMs: number;
  /** How long this server waits for PostgreSQL's response to a statement. 0: no limit. */
  readonly responseMs: number;
  /** How long a statement waits for a connection, and a new connection for PostgreSQL. */
  readonly connectMs: number;
  /** How long a change waits while others have all connections of changes. */
  readonly turnMs: number;
  /** After this time without a statement PostgreSQL ends a transaction of this server. */
  readonly idleInTransactionMs: number;
}

/**
 * A request behind a locked table ends within five seconds. A submit waits longest: for a connection (2 s at most), behind another
 * change of its node (1.5 s), and for the table (1.5 s). The wait for a connection is longer than one for a lock, so
 * that statements behind a lock free a connection before others give up.
 *
 * Before that, a change waits for its turn while twenty others run, as those of 200 participants who submit at once do (6 s at
 * most). The app gives a submit up after 15 s.
 *
 * The server's statements take milliseconds. PostgreSQL ends a slow one before the server gives up, because the connection
 * then stays usable and the outcome is known. A transaction contains only statements, so it is never idle unless its server
 * hangs.
 */
export const defaultLimits: DatabaseLimits = {
  lockWaitMs: 1_500,
  statementMs: 7_000,
  responseMs: 8_000,
  connectMs: 2_000,
  turnMs: 6_000,
  idleInTransactionMs: 10_000,
};

/** How long a statement waits for SQLite's one writer. It keeps nothing else from working. */
export const sqliteLockWaitMs = 5_000;

/**
 * A migration may rewrite a large table. It does not wait long for a lock: other servers' statements queue behind an
 * `ALTER TABLE` that waits.
 */
export const migrationLimits: DatabaseLimits = {
  lockWaitMs: 10_000,
  statementMs: 0,
  responseMs: 0,
  connectMs: 5_000,
  turnMs: 5_000,
  idleInTransactionMs: 0,
};
