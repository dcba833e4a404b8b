/**
 * Looks at the nodes where listeners have peerings, and tells whose peering changed its state.
 *
 * Invariants: without a listener no node is asked; with any number of them a node is asked once a turn, and
 * not again before it has answered. What is seen first of a peering is nobody's news.
 */
import type { Logger } from "pino";
import type { ObservedPeering } from "../../../contract/agent.ts";
import type { PeerStatus } from "../../../contract/entities.ts";
import { peeringHealth } from "../../../domain/health.ts";
import type { Db } from "../../db/open.ts";
import { type Agents, NodeUnreachable } from "../nodes/agents.ts";
import { presentNotRun, presentObserved, presentUnknown } from "../nodes/peer-status.ts";

export interface PeeringWatchDeps {
  readonly db: Db;
  readonly agents: Agents;
  readonly log: Logger;
  readonly everyMs: number;
  /** AS numbers with a listener. */
  readonly listening: () => ReadonlySet<string>;
  readonly tell: (asn: string, node: string) => void;
}

export interface PeeringWatch extends AsyncDisposable {
  start(): void;
}

const timeoutMs = 5_000;

export function createPeeringWatch(deps: PeeringWatchDeps): PeeringWatch {
  const { db, agents, log, listening, tell } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const underWay = new Map<string, Promise<void>>();
  /** By node, and there by AS: what was seen last. */
  let seen = new Map<string, Map<string, string>>();
  let turn: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function takeTurn(): Promise<void> {
    const asns = [...listening()];
    if (asns.length === 0) {
      seen = new Map();
      return;
    }
    const rows = await db.selectFrom("peerings").select(["asn", "node"]).where("asn", "in", asns).execute();
    const watched = Map.groupBy(rows, ({ node }) => node);
    for (const node of seen.keys()) if (!watched.has(node)) seen.delete(node);
    for (const [node, peerings] of watched) {
      if (!underWay.has(node)) underWay.set(node, look(node, new Set(peerings.map(({ asn }) => asn))));
    }
  }

  async function look(node: string, asns: ReadonlySet<string>): Promise<void> {
    try {
      const observed = await observe(agents, node, signal);
      const before = seen.get(node);
      const now = new Map(Array.from(asns, (asn) => [asn, wordsFor(node, asn, observed)]));
      seen.set(node, now);
      for (const [asn, words] of now) {
        const former = before?.get(asn);
        if (former !== undefined && former !== words) tell(asn, node);
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, node }, "peerings could not be watched");
    } finally {
      underWay.delete(node);
    }
  }

  function begin(): void {
    turn ??= takeTurn()
      .catch((error: unknown) => log.error({ err: error }, "peerings could not be watched"))
      .finally(() => {
        turn = null;
      });
  }

  return {
    start() {
      timer = setInterval(begin, deps.everyMs);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await turn;
      await Promise.all(underWay.values());
    },
  };
}

/** Null where the node cannot be asked. */
async function observe(
  agents: Agents,
  node: string,
  signal: AbortSignal,
): Promise<readonly ObservedPeering[] | null> {
  try {
    return await agents.ask(node, "observe", undefined, { timeoutMs, signal });
  } catch (error) {
    if (error instanceof NodeUnreachable) return null;
    throw error;
  }
}

/** The words that a peering's state is shown with. */
function wordsFor(node: string, asn: string, observed: readonly ObservedPeering[] | null): string {
  const status = statusOf(node, asn, observed);
  return [status.known, status.wg_status.state, status.bgp_status, peeringHealth(status)].join(" ");
}

function statusOf(node: string, asn: string, observed: readonly ObservedPeering[] | null): PeerStatus {
  if (!observed) return presentUnknown(node, null);
  const own = observed.find((peering) => peering.asn === asn);
  return own ? presentObserved(node, own, null) : presentNotRun(node, "", null);
}
