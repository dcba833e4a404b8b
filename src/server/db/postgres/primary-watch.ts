/**
 * Finds connections that lead to a former primary. After a failover its connections may stay open: it is read-only then,
 * and its data is out of date, so that even a read from it is wrong.
 *
 * PostgreSQL 14 and later send the settings below with the connection, and again with the next response after a change.
 * Older versions send neither; there, the first change that fails as read-only is reported.
 *
 * Invariant: when a connection is found to lead to a former primary, all connections that were opened until then count as
 * such, because the database's address may have moved after them. None of them is used for another statement.
 */
import type { EventEmitter } from "node:events";
import pg from "pg";

export interface PrimaryWatch {
  /** A client that is watched from its start. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  isFormer(client: pg.ClientBase): boolean;
  /** Reports a client whose change failed as read-only. */
  reportReadOnly(client: pg.ClientBase): void;
  /** The listener ends connections that are not part of the pool. */
  onFormer(listener: () => void): void;
}

const readOnlySettings = new Set(["default_transaction_read_only", "in_hot_standby"]);

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export function createPrimaryWatch(): PrimaryWatch {
  const numbers = new WeakMap<pg.ClientBase, number>();
  const listeners: Array<() => void> = [];
  let opened = 0;
  let lastFormer = 0;

  const isFormer = (client: pg.ClientBase) => (numbers.get(client) ?? 0) <= lastFormer;

  function reportReadOnly(client: pg.ClientBase): void {
    if (isFormer(client)) return;
    lastFormer = opened;
    for (const listener of listeners) listener();
  }

  class WatchedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      opened += 1;
      numbers.set(this, opened);
      // The types of the driver do not name its connection, whose events are PostgreSQL's messages.
      const { connection } = this as unknown as { readonly connection: EventEmitter };
      connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
        if (readOnlySettings.has(parameterName) && parameterValue === "on") reportReadOnly(this);
      });
    }
  }

  return {
    Client: WatchedClient,
    isFormer,
    reportReadOnly,
    onFormer: (listener) => void listeners.push(listener),
  };
}
