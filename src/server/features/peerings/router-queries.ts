/** Live queries of the router about one peering of the caller. */
import type { AgentCalls } from "../../../contract/agent.ts";
import type { CallResponse, CallInput } from "../../../contract/call.ts";
import { CallError } from "../../../contract/client.ts";
import { nodeHost } from "../../../contract/node-host.ts";
import { routerQueryTimeoutMs } from "../../../contract/timeouts.ts";
import type { Handlers, LoggedInContext } from "../../api/handlers.ts";
import type { RateLimit } from "../../api/rate-limits.ts";
import { HttpError } from "../../../contract/http-error.ts";
import { AgentOutdatedError, type AgentClient, NodeUnreachableError } from "../../agents/agent-client.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { findDesired } from "./desired-peerings.ts";
import { peeringNotFoundError } from "./submit.ts";

type RouterCalls =
  | "getPeerDetails"
  | "troubleshootBGP"
  | "restartBGPPeer"
  | "getPeerReceivedRoutes"
  | "getPeerAdvertisedRoutes"
  | "pingCheck";

export type RouterQuery =
  | "details"
  | "checkBgp"
  | "restartBgp"
  | "receivedRoutes"
  | "refusedRoutes"
  | "advertisedRoutes"
  | "ping";

export interface RouterQueryDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "domain">;
  readonly agents: AgentClient;
  readonly limits: QueryLimits;
}

export function routerQueryHandlers(deps: RouterQueryDeps): Pick<Handlers, RouterCalls> {
  return {
    async getPeerDetails({ node }, context) {
      const { wireguard, bgp } = await queryRouter(deps, context, node, "details", { asn: context.asn });
      return { [node]: { wg_details: { output: wireguard }, bgp_details: { output: bgp } } };
    },
    troubleshootBGP: ({ node }, context) =>
      queryRouter(deps, context, node, "checkBgp", { asn: context.asn }),
    async restartBGPPeer({ node }, context) {
      const { ok, output } = await queryRouter(deps, context, node, "restartBgp", { asn: context.asn });
      if (!ok)
        throw new HttpError(502, {
          message: "BIRD did not restart the sessions. They are as before.",
          output,
        });
      return { output };
    },
    getPeerReceivedRoutes: ({ node }, context) =>
      queryRouter(deps, context, node, "receivedRoutes", { asn: context.asn }),
    getPeerAdvertisedRoutes: ({ node }, context) =>
      queryRouter(deps, context, node, "advertisedRoutes", { asn: context.asn }),
    pingCheck: ({ node, addr_family: family }, context) =>
      queryRouter(deps, context, node, "ping", { asn: context.asn, family }),
  };
}

/**
 * Makes a call to the node about the caller's peering, within the caller's query limits. The call ends when the
 * caller disconnects. Throws `HttpError` 404 without such a peering, 429 beyond the limits, and 503 when the node
 * cannot be reached.
 */
export async function queryRouter<N extends RouterQuery>(
  { db, profile, agents, limits }: RouterQueryDeps,
  { asn, signal }: LoggedInContext,
  node: string,
  name: N,
  body: CallInput<AgentCalls[N]>,
): Promise<CallResponse<AgentCalls[N]>> {
  const host = nodeHost(node, profile.domain);
  if (!(await findDesired(db, asn, node))) throw peeringNotFoundError(asn, host);
  return limits.run(asn, async () => {
    try {
      return await agents.ask(node, name, body, { timeoutMs: routerQueryTimeoutMs, signal });
    } catch (error) {
      throw presentNodeError(error, host);
    }
  });
}

function presentNodeError(error: unknown, host: string): unknown {
  if (error instanceof AgentOutdatedError)
    return new HttpError(503, { message: `${error.describe()} Nothing was changed.` });
  if (error instanceof NodeUnreachableError)
    return new HttpError(503, {
      message: `${error.describe(host)} Nothing was changed; try again in a minute.`,
    });
  if (error instanceof CallError && error.status === 404) {
    return new HttpError(404, {
      message: `${host} does not run this peering yet. Wait for its deployment to finish.`,
      field: "node",
    });
  }
  return error;
}

/** Limits the live queries of an AS: each starts a process on a router. */
export interface QueryLimits {
  /** Runs the query; throws `HttpError` 429 when the AS has too many in flight or in the last minute. */
  run<T>(asn: string, query: () => Promise<T>): Promise<T>;
}

const maxConcurrent = 4;

/** @param perAs the queries of an AS in the last minute, on all servers; those in flight are limited per server */
export function createQueryLimits(perAs: RateLimit): QueryLimits {
  const inFlight = new Map<string, number>();
  return {
    async run(asn, query) {
      await perAs.take(asn);
      const before = inFlight.get(asn) ?? 0;
      if (before >= maxConcurrent) throw tooManyQueriesError();
      inFlight.set(asn, before + 1);
      try {
        return await query();
      } finally {
        const left = (inFlight.get(asn) ?? 1) - 1;
        if (left === 0) inFlight.delete(asn);
        else inFlight.set(asn, left);
      }
    },
  };
}

function tooManyQueriesError(): HttpError {
  return new HttpError(429, { message: "Too many queries at once. Wait a moment and try again." });
}
