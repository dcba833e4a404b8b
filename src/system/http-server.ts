/**
 * An HTTP server whose clients decide neither how much it stores nor which of two values it reads.
 *
 * Invariants:
 * - A connection has one request in progress. Node.js emits all requests of a packet at once, so the next ones wait until
 *   the response before them was handed to the kernel: a client that does not read occupies one response.
 * - A client that sends many requests without reading the responses loses the connection. Such requests may be sent again
 *   on another one (RFC 9112, section 9.3.2).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { findHeaderFault } from "./request-headers.ts";

export interface HttpServerOptions {
  /** How long a client may read nothing of a response. */
  readonly unreadTimeoutMs?: number;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  /** Whether a request is in progress. */
  isBusy: boolean;
  readonly waiting: Array<() => void>;
}

/** Browsers never send a second request before they have the response. */
const maxWaiting = 32;
const defaultUnreadTimeoutMs = 30_000;

export function createHttpServer(handle: RequestListener, options: HttpServerOptions = {}): Server {
  const { unreadTimeoutMs = defaultUnreadTimeoutMs } = options;
  const connections = new WeakMap<Socket, Connection>();

  function findConnection(socket: Socket): Connection {
    const connection = connections.get(socket) ?? { isBusy: false, waiting: [] };
    connections.set(socket, connection);
    return connection;
  }

  const server = createServer((request, response) => {
    const { socket } = request;
    // Of the rest of a packet, Node.js emits the requests of a connection that has just been ended as well.
    if (socket.destroyed) return;
    const connection = findConnection(socket);
    if (connection.waiting.length >= maxWaiting) {
      connection.waiting.length = 0;
      socket.destroy();
      return;
    }
    connection.waiting.push(() => {
      response.once("close", () => {
        connection.isBusy = false;
        startNext(connection);
      });
      if (!refuseFaulty(request, response)) handle(request, response);
    });
    startNext(connection);
  });
  server.setTimeout(unreadTimeoutMs, (socket: Socket) => {
    // Node.js calls this after a time in which the client has taken no byte, and for idle connections.
    const isWaitingForHandler = connections.get(socket)?.isBusy === true && socket.writableLength === 0;
    if (isWaitingForHandler) socket.setTimeout(unreadTimeoutMs);
    else socket.destroy();
  });
  return server;
}

function startNext(connection: Connection): void {
  if (connection.isBusy) return;
  const start = connection.waiting.shift();
  if (!start) return;
  connection.isBusy = true;
  start();
}

/** Responds with 400, and reads nothing more of the connection. Returns whether it did. */
function refuseFaulty(request: IncomingMessage, response: ServerResponse): boolean {
  const fault = findHeaderFault(request);
  if (fault === null) return false;
  response.writeHead(400, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify({ message: `${fault} Nothing was changed.` }));
  return true;
}
