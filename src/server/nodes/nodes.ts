/**
 * The provider's nodes, as this server knows them.
 *
 * Invariants: a change of any process is known within `pollMs`, because it is read again so often. A decision that a later
 * change must not contradict reads the row in its transaction instead (`node-rows.ts`).
 */
import type { Logger } from "pino";
import type { Db } from "../db/open.ts";
import { createJobLoop, type JobLoop } from "../jobs/job-loop.ts";
import { fromRow, readNodeRows } from "./node-rows.ts";
import type { ProviderNode } from "./provider-node.ts";

export interface Nodes {
  /** All nodes, in their order. */
  list(): readonly ProviderNode[];
  /** Null if the provider has no such node. Participants may still have peerings on one that was removed. */
  find(name: string): ProviderNode | null;
  /** The listener is called after each change. */
  onChange(listener: () => void): void;
}

export interface FollowedNodes extends Nodes, JobLoop {
  /** Resolves when the nodes are as the database has them now. */
  refresh(): Promise<void>;
}

export interface FollowNodesDeps {
  readonly db: Db;
  readonly log: Pick<Logger, "warn">;
}

const pollMs = 1_000;

/** Creates the loop that reads the nodes; before its start and `refresh` there are none. */
export function followNodes({ db, log }: FollowNodesDeps): FollowedNodes {
  const listeners: Array<() => void> = [];
  let known = "[]";
  let isFailing = false;
  let nodes: readonly ProviderNode[] = [];
  let byName: ReadonlyMap<string, ProviderNode> = new Map();

  async function refresh(): Promise<void> {
    const rows = await readNodeRows(db);
    isFailing = false;
    const text = JSON.stringify(rows);
    if (text === known) return;
    known = text;
    nodes = rows.map(fromRow);
    byName = new Map(nodes.map((node) => [node.name, node]));
    for (const listener of listeners) listener();
  }

  const loop = createJobLoop({
    pollMs,
    run: refresh,
    onError(error) {
      if (!isFailing) log.warn({ err: error }, "the nodes could not be read, so changes of them are unknown");
      isFailing = true;
    },
  });
  return {
    ...loop,
    list: () => nodes,
    find: (name) => byName.get(name) ?? null,
    onChange: (listener) => void listeners.push(listener),
    refresh,
  };
}

/** Nodes that do not change, for a command. */
export function fixedNodes(nodes: readonly ProviderNode[]): Nodes {
  return {
    list: () => nodes,
    find: (name) => nodes.find((node) => node.name === name) ?? null,
    onChange: () => undefined,
  };
}
