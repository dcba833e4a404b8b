/**
 * Who waits for whom, and how long, in milliseconds. Whoever waits for somebody who waits in turn has to wait longer;
 * else a node that hangs looks like a server that cannot be reached. So each of these is made of the one before it.
 */

/** The server, for nodes that a read asks side by side (status, map): what they have not said by then is unknown. */
export const nodeReadMs = 2_000;

/** The service worker, for an answer where the device keeps an older one: the server's own work, and the way there. */
export const keptReadMs = nodeReadMs + 1_000;

/** Page and worker, for any answer. */
export const answerMs = 15_000;

/** The server, for the one router that a call marked `slow` asks: long enough for five pings that all time out. */
export const routerQueryMs = 20_000;

/** Page and worker, for the answer to such a call: the server's word that the node cannot be reached still comes. */
export const slowAnswerMs = routerQueryMs + 5_000;
