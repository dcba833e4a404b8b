import { HttpError } from "../../contract/http-error.ts";
import { createFairQueue } from "../../domain/concurrency/fair-queue.ts";
import { startTimer } from "../../system/start-timer.ts";
import type { Router } from "../drivers/router.ts";

export type QueriedRouter = Pick<
  Router,
  "details" | "sessions" | "restartBgp" | "receivedRoutes" | "refusedRoutes" | "advertisedRoutes" | "ping"
>;

/** All servers of the provider together: one server runs eight at once. */
const limits = { concurrency: 12, perClient: 6, maxWaiting: 24 } as const;
const waitMs = 3_000;

/**
 * Limits what participants query on this node, fairly between ASes, so that neither processes nor BIRD's time run out for
 * changes and observations, which have no limit. A query that gets no place in time is rejected with `HttpError` 503.
 */
export function limitQueries(router: QueriedRouter): QueriedRouter {
  const enqueue = createFairQueue({
    ...limits,
    wait: {
      limitMs: waitMs,
      startTimer,
    },
    createError: () => new HttpError(503, { message: "The node is busy with other queries." }),
  });
  const limited =
    <Args extends readonly [asn: string, ...unknown[]], T>(query: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      enqueue(args[0], () => query(...args));
  return {
    details: limited(router.details),
    sessions: limited(router.sessions),
    restartBgp: limited(router.restartBgp),
    receivedRoutes: limited(router.receivedRoutes),
    refusedRoutes: limited(router.refusedRoutes),
    advertisedRoutes: limited(router.advertisedRoutes),
    ping: limited(router.ping),
  };
}
