/** Live queries of the router about one peering of the caller. */
import type { CallResponse, CallInput } from "#contract/call.ts";
import { CallError } from "#contract/client.ts";
import { nodeHost } from "#contract/node-host.ts";
import {
  livenessDelayMs,
  livenessTimeoutMs,
  routerQueryTimeoutMs,
  routerQueryWaitMs,
} from "#contract/timeouts.ts";
import { describeToParticipant, explainFinding } from "#domain/findings/findings.ts";
import { createFairQueue, type FairQueue } from "#domain/concurrency/fair-queue.ts";
import { startTimer } from "#system/start-timer.ts";
import type { LoggedInContext } from "#server/api/handlers.ts";
import type { RateLimit } from "#server/api/rate-limits.ts";
import { HttpError } from "#contract/http-error.ts";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import type { NodeCalls } from "#server/agents/observed-peerings.ts";
import { maxNodeQueries } from "#server/agents/node-transport.ts";
import type { AppContext } from "#server/context.ts";
import { findDesired } from "../desired-peerings.ts";
import { peeringNotFoundError } from "../submit.ts";

export type RouterQuery =
  | "details"
  | "checkBgp"
  | "restartBgp"
  | "receivedRoutes"
  | "refusedRoutes"
  | "advertisedRoutes"
  | "ping";

export type RouterQueryContext = Pick<AppContext, "db" | "profile" | "agents"> & {
  readonly limits: QueryLimits;
};

/**
 * Makes a call to the node about the caller's peering, within the caller's query limits. The call ends when the
 * caller disconnects. Throws `HttpError` 404 without such a peering, 429 beyond the limits, and 503 when the node
 * is busy or cannot be reached.
 */
export async function queryRouter<N extends RouterQuery>(
  { db, profile, agents, limits }: RouterQueryContext,
  { asn, signal }: LoggedInContext,
  node: string,
  name: N,
  body: CallInput<NodeCalls[N]>,
): Promise<CallResponse<NodeCalls[N]>> {
  const host = nodeHost(node, profile.domain);
  if (!(await findDesired(db, asn, node))) throw peeringNotFoundError(asn, host);
  return limits.run({ asn, node, host }, async () => {
    try {
      return await askWhileAlive(agents, node, signal, (alive) =>
        agents.ask(node, name, body, { timeoutMs: routerQueryTimeoutMs, signal: alive }),
      );
    } catch (error) {
      throw presentNodeError(error, host);
    }
  });
}

/**
 * Makes a query that may take long, and ends it when the node does not respond to a short call meanwhile. That call is made
 * at once to a node that did not respond a moment ago, and otherwise when the query takes longer than most.
 *
 * @param signal ends the query; the one that it receives ends with it, or when the node is silent
 */
async function askWhileAlive<T>(
  agents: Pick<AgentClient, "ask" | "readFailures">,
  node: string,
  signal: AbortSignal,
  query: (alive: AbortSignal) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const end = new AbortController();
  const probe = async () => {
    try {
      await agents.ask(node, "facts", undefined, { timeoutMs: livenessTimeoutMs, signal: end.signal });
    } catch (error) {
      // An error is a response.
      if (error instanceof NodeUnreachableError && !error.hasResponded) silence.abort(error);
    }
  };
  const delayMs = agents.readFailures().has(node) ? 0 : livenessDelayMs;
  const timer = setTimeout(() => void probe(), delayMs);
  try {
    return await query(AbortSignal.any([signal, silence.signal]));
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

function presentNodeError(error: unknown, host: string): unknown {
  if (error instanceof NodeUnreachableError && error.isRemoved)
    return new HttpError(503, { message: describeToParticipant(error.finding(host)) });
  if (error instanceof NodeUnreachableError)
    return new HttpError(503, {
      message: `${explainFinding(error.finding(host))} Nothing was changed; try again in a minute.`,
    });
  if (error instanceof CallError && error.status === 404) {
    return new HttpError(404, {
      message: `${explainFinding({ code: "not-deployed", facts: { host } })} Wait for its deployment to finish.`,
      field: "node",
    });
  }
  return error;
}

/** Limits the live queries: each starts a process on a router or occupies BIRD. */
export interface QueryLimits {
  /**
   * Runs the query when the node has a place for it. Throws `HttpError` 429 when the AS has too many in flight or in the
   * last minute, and 503 when the node has no place in time.
   */
  run<T>(subject: QuerySubject, query: () => Promise<T>): Promise<T>;
}

export interface QuerySubject {
  readonly asn: string;
  readonly node: string;
  /** The node's name with the provider's domain. */
  readonly host: string;
}

/** On all nodes, those that wait for a place included. */
const maxPerAs = 4;
/** Running on one node, so that no AS alone uses up the places of the node. */
const maxPerAsAndNode = 3;
const maxWaitingPerNode = 16;

/**
 * @param perAs the queries of an AS in the last minute, on all servers; those in flight are limited per server
 * @param waitMs how long a query waits for a place
 */
export function createQueryLimits(perAs: RateLimit, waitMs = routerQueryWaitMs): QueryLimits {
  const inFlight = new Map<string, number>();
  const queues = new Map<string, FairQueue>();

  function openQueue({ node, host }: QuerySubject): FairQueue {
    const queue = createFairQueue({
      concurrency: maxNodeQueries,
      perClient: maxPerAsAndNode,
      maxWaiting: maxWaitingPerNode,
      wait: { limitMs: waitMs, startTimer },
      createError: (_asn, isOwnLimit) => (isOwnLimit ? tooManyQueriesError() : nodeBusyError(host)),
    });
    queues.set(node, queue);
    return queue;
  }

  return {
    async run(subject, query) {
      const { asn, node } = subject;
      await perAs.take(asn);
      const before = inFlight.get(asn) ?? 0;
      if (before >= maxPerAs) throw tooManyQueriesError();
      inFlight.set(asn, before + 1);
      try {
        return await (queues.get(node) ?? openQueue(subject))(asn, query);
      } finally {
        const left = (inFlight.get(asn) ?? 1) - 1;
        if (left === 0) inFlight.delete(asn);
        else inFlight.set(asn, left);
      }
    },
  };
}

function tooManyQueriesError(): HttpError {
  return new HttpError(
    429,
    {
      message:
        "Too many queries at once. Nothing was changed; wait for one of yours to finish and try again.",
    },
    { retryAfterSeconds: 5 },
  );
}

function nodeBusyError(host: string): HttpError {
  return new HttpError(503, {
    message: `${host} is busy with queries of other participants. Nothing was changed; try again in a minute.`,
  });
}
