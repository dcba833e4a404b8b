/**
 * Looks at every node again and again and keeps what it found: whether it was well, how busy it was, and the
 * byte counters of the tunnels on it.
 *
 * Invariants: among all servers one looks at a time (the lock `observe`), and a turn is left out where
 * another server has just taken it. A node that does not answer is Down; nothing is kept of a turn in which
 * nobody looked.
 */
import type { Logger } from "pino";
import type { Insertable } from "kysely";
import type { AgentCalls, ObservedPeering } from "../../../contract/agent.ts";
import type { CallAnswer } from "../../../contract/call.ts";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema.ts";
import { type Agents, NodeUnreachable } from "../nodes/agents.ts";
import { dayMs, daysKept, samplesKeptMs, startOfDay, trafficKeptMs } from "./spans.ts";

export interface ObserverDeps {
  readonly db: Db;
  readonly agents: Agents;
  readonly locks: Locks;
  readonly clock: () => number;
  readonly log: Logger;
  readonly everyMs: number;
  /** Given what was found, once it is kept. */
  readonly onObserved: (turn: Turn) => Promise<void>;
}

/** What was found at one time, on every node. */
export interface Turn {
  readonly at: number;
  readonly looks: readonly NodeLook[];
  /** Nobody had looked for more than two turns. */
  readonly afterAbsence: boolean;
}

export interface NodeLook {
  readonly node: string;
  /** Null where the node did not answer. */
  readonly peerings: readonly ObservedPeering[] | null;
}

export interface Observer extends AsyncDisposable {
  /** Looks once, unless somebody is looking or has just looked. */
  look(): Promise<void>;
  /** Looks now and every `everyMs`. */
  start(): void;
}

const timeoutMs = 5_000;

export function createObserver(deps: ObserverDeps): Observer {
  const closing = new AbortController();
  const { signal } = closing;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;

  function look(): Promise<void> {
    underWay ??= deps.locks
      .tryExclusive("observe", () => observeOnce(deps, signal))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!signal.aborted) deps.log.error({ err: error }, "the nodes could not be observed");
        },
      )
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  return {
    look,
    start() {
      timer = setInterval(() => void look(), deps.everyMs);
      void look();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearInterval(timer);
      await underWay;
    },
  };
}

type Row<Table extends keyof Schema> = Insertable<Schema[Table]>;

interface Observation extends NodeLook {
  readonly sample: Row<"node_samples">;
  readonly traffic: readonly Row<"traffic_samples">[];
}

async function observeOnce(deps: ObserverDeps, signal: AbortSignal): Promise<void> {
  const { db, agents, clock, everyMs } = deps;
  const at = clock();
  const newest = await db
    .selectFrom("node_samples")
    .select("at")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  const age = newest ? at - newest.at : Infinity;
  // The other server's clock may be a little ahead, and one that was set far back must not stop us.
  if (Math.abs(age) < everyMs / 2) return;
  const observations = await Promise.all(agents.nodes.map((node) => observeNode(agents, node, at, signal)));
  if (signal.aborted) return;
  await db.transaction().execute(async (tx) => {
    for (const { sample, traffic } of observations) {
      await tx.insertInto("node_samples").values(sample).execute();
      await countDay(tx, sample);
      if (traffic.length > 0) await tx.insertInto("traffic_samples").values(traffic).execute();
    }
    await tx
      .deleteFrom("node_samples")
      .where("at", "<", at - samplesKeptMs)
      .execute();
    await tx
      .deleteFrom("traffic_samples")
      .where("at", "<", at - trafficKeptMs)
      .execute();
    await tx
      .deleteFrom("node_days")
      .where("day", "<", startOfDay(at) - daysKept * dayMs)
      .execute();
  });
  await deps.onObserved({ at, looks: observations, afterAbsence: age > 2.5 * everyMs });
}

async function observeNode(
  agents: Agents,
  node: string,
  at: number,
  signal: AbortSignal,
): Promise<Observation> {
  const ask = <N extends "health" | "usage" | "observe">(name: N): Promise<CallAnswer<AgentCalls[N]>> =>
    agents.ask(node, name, undefined as never, { timeoutMs, signal });
  try {
    const [{ status: state }, usage, peerings] = await Promise.all([
      ask("health"),
      ask("usage"),
      ask("observe"),
    ]);
    return {
      node,
      peerings,
      sample: {
        node,
        at,
        state,
        cpu_percent: usage.cpuPercent,
        memory_percent: usage.memoryPercent,
        routes_ipv4: usage.routes.ipv4,
        routes_ipv6: usage.routes.ipv6,
      },
      traffic: peerings.map(({ asn, tunnel }) => ({
        node,
        asn,
        at,
        received: tunnel.rxBytes,
        sent: tunnel.txBytes,
      })),
    };
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error;
    return { node, peerings: null, sample: { node, at, state: "Down", ...nothing }, traffic: [] };
  }
}

const nothing = { cpu_percent: null, memory_percent: null, routes_ipv4: null, routes_ipv6: null } as const;

async function countDay(db: Db, { node, at, state }: Row<"node_samples">): Promise<void> {
  const one = {
    ok: Number(state === "OK"),
    issues: Number(state === "Issues"),
    down: Number(state === "Down"),
  };
  await db
    .insertInto("node_days")
    .values({ node, day: startOfDay(at), ...one })
    .onConflict((conflict) =>
      conflict.columns(["node", "day"]).doUpdateSet((row) => ({
        ok: row("node_days.ok", "+", one.ok),
        issues: row("node_days.issues", "+", one.issues),
        down: row("node_days.down", "+", one.down),
      })),
    )
    .execute();
}
