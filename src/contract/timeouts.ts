/**
 * Timeouts in milliseconds. A timeout is longer than those of the calls behind it: otherwise a node that hangs looks
 * like a server that cannot be reached. Where two depend on each other, the longer is derived from the shorter.
 */

/** The server, for nodes that a read queries in parallel (status, map). After it, a node is unknown. */
export const nodeReadTimeoutMs = 2_000;

/** The server, for the round trips that nodes measure: less than the loader of a route waits (decision 17). */
export const roundTripWaitMs = 800;

/** The service worker, for a response when an older one is cached: the work of the server, and the network. */
export const cachedReadTimeoutMs = nodeReadTimeoutMs + 1_000;

/** The page and the service worker, for a call that is not `slow`. */
export const responseTimeoutMs = 15_000;

/** The server, for the one router that a `slow` call queries: long enough for five pings that all time out. */
export const routerQueryTimeoutMs = 20_000;

/** The server, before it asks during a query whether the node responds at all: most queries have ended by then. */
export const livenessDelayMs = 2_500;

/** The server, for the response to that. A node that does not respond by then is silent, and the query ends. */
export const livenessTimeoutMs = 2_500;

/** The server, for a place among the queries that a node runs. */
export const routerQueryWaitMs = 4_000;

/** The page and the service worker, for a `slow` call: longer than the server waits for a place and for the node. */
export const slowResponseTimeoutMs = routerQueryWaitMs + routerQueryTimeoutMs + 1_000;
