/**
 * Leaves connections of the pool to reads, which would otherwise wait behind changes that wait for each other's locks.
 *
 * Invariants:
 * - Transactions, and changes outside of them, have at most `maxChanges` connections. Further ones wait in the order of their
 *   arrival, at most for `turnMs`.
 * - A read outside of a transaction has a connection for its statement alone.
 */
import type { CompiledQuery, DatabaseConnection, Driver } from "kysely";
import { createFairQueue } from "#domain/concurrency/fair-queue.ts";
import { startTimer } from "#system/start-timer.ts";
import { isRead } from "../is-read.ts";

export interface SharesOptions {
  readonly maxChanges: number;
  /** How long a change waits for its turn. */
  readonly waitMs: number;
}

/** A connection of the pool, for a transaction. */
interface Turn {
  readonly connection: DatabaseConnection;
  readonly end: () => Promise<void>;
}

/** @param pool a driver whose connections are those of the pool */
export function shareConnections(pool: Driver, { maxChanges, waitMs }: SharesOptions): Driver {
  const turns = new WeakMap<DatabaseConnection, Turn>();
  const enqueue = createFairQueue({
    concurrency: maxChanges,
    maxWaiting: Number.POSITIVE_INFINITY,
    wait: { limitMs: waitMs, startTimer },
    createError: () => new Error("timeout exceeded when trying to connect: changes have all connections"),
  });

  async function use<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const connection = await pool.acquireConnection();
    try {
      return await work(connection);
    } finally {
      await pool.releaseConnection(connection);
    }
  }

  /** Resolves when a transaction may begin. */
  function takeTurn(): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const ended = Promise.withResolvers<void>();
    const end = () => {
      ended.resolve();
      return work;
    };
    const work = enqueue("changes", () =>
      use((connection) => {
        resolve({ connection, end });
        return ended.promise;
      }),
    );
    work.catch(reject);
    return promise;
  }

  function turnOf(connection: DatabaseConnection): Turn {
    const turn = turns.get(connection);
    if (!turn) throw new Error("no transaction has begun");
    return turn;
  }

  return {
    init: () => pool.init(),
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: async <R>(query: CompiledQuery) => {
          const turn = turns.get(connection);
          if (turn) return turn.connection.executeQuery<R>(query);
          const run = () => use((taken) => taken.executeQuery<R>(query));
          return isRead(query.sql) ? run() : enqueue("changes", run);
        },
        streamQuery: () => {
          throw new Error("PostgreSQL's driver does not stream");
        },
      };
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      const turn = await takeTurn();
      turns.set(connection, turn);
      await pool.beginTransaction(turn.connection, settings);
    },
    commitTransaction: (connection) => pool.commitTransaction(turnOf(connection).connection),
    rollbackTransaction: (connection) => pool.rollbackTransaction(turnOf(connection).connection),
    releaseConnection: async (connection) => {
      await turns.get(connection)?.end();
      turns.delete(connection);
    },
    destroy: () => pool.destroy(),
  };
}
