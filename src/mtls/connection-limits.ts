/**
 * Limits the connections of a server with pinned clients, so that other clients cannot keep the pinned ones out.
 *
 * Invariants:
 * - A new connection is always accepted. Beyond a limit, an older one is ended instead: what is only held open gives
 *   way, and a client that completes its handshake in time gets in.
 * - A connection is pending until its handshake has ended, which it must do within `handshakeMs`, however many bytes
 *   arrive. Beyond the limit of its address the oldest one of that address ends; beyond the limit of all addresses, the
 *   oldest one of the address with the most.
 * - The addresses of servers have limits of their own, which other addresses cannot use up. They are those that the
 *   caller knows, and those from which a pinned client has connected.
 * - Beyond the limit of a pinned certificate, its connection that has been idle longest ends; the new one if none is idle.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

export const connectionLimits = {
  /** From the TCP connection to the end of the TLS handshake. */
  handshakeMs: 5_000,
  /** Pending connections of an address. A server that connects for the first time opens up to 28 at once. */
  pendingPerAddress: 32,
  /** Pending connections of all addresses that are not known as those of servers. */
  pendingOfOthers: 128,
  /** Pending connections of an address of a server: another program on its host may attack, too. */
  pendingPerServerAddress: 64,
  /** Connections of a pinned certificate. A server has up to 28; ending idle ones early would cost a handshake each. */
  perCertificate: 512,
  /** How many addresses of pinned clients are remembered. */
  serverAddresses: 64,
} as const;

export interface ConnectionLimitsOptions {
  /** Returns the key of the client that has an address; one client may have many IPv6 addresses. */
  readonly toClientKey: (address: string) => string;
  /** Whether the address is known as one of a server. */
  readonly isServerAddress: (address: string) => boolean;
  /** Called for each connection that a limit has ended. */
  readonly onEnded: (address: string) => void;
}

/** Applies the limits to all connections of a server that does not listen yet. */
export function limitConnections(server: Server, options: ConnectionLimitsOptions): ConnectionLimiter {
  const end = (socket: Socket) => {
    options.onEnded(socket.remoteAddress ?? "");
    socket.destroy();
  };
  const serverClients = createRecentSet(connectionLimits.serverAddresses);
  const pending = createPendingSockets(end);
  const admitted = createAdmittedSockets(end);
  // Before the server's own listener, which starts the handshake.
  server.prependListener("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const client = options.toClientKey(address);
    pending.add(socket, client, serverClients.has(client) || options.isServerAddress(address));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const socket = request.socket as TLSSocket;
    admitted.setBusy(socket, true);
    response.once("close", () => admitted.setBusy(socket, false));
  });
  return {
    finishHandshake(socket, fingerprint) {
      pending.remove(socket);
      if (fingerprint === null) return;
      serverClients.add(options.toClientKey(socket.remoteAddress ?? ""));
      admitted.add(socket, fingerprint);
    },
  };
}

export interface ConnectionLimiter {
  /** The handshake of a connection has ended, with a pinned certificate or (null) without one. */
  finishHandshake(socket: TLSSocket, fingerprint: string | null): void;
}

interface PendingSocket {
  readonly socket: Socket;
  readonly client: string;
  readonly isServer: boolean;
  readonly deadline: NodeJS.Timeout;
}

/** Returns the same key for a TCP socket and for the TLS socket on it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function createPendingSockets(end: (socket: Socket) => void) {
  const { handshakeMs, pendingPerAddress, pendingOfOthers, pendingPerServerAddress } = connectionLimits;
  /** By `keyOf`, the oldest first. */
  const sockets = new Map<string, PendingSocket>();

  function remove(key: string): void {
    clearTimeout(sockets.get(key)?.deadline);
    sockets.delete(key);
  }

  /** Returns the oldest pending socket of those that the limits say are too many, or null. */
  function findExcess({ client, isServer }: PendingSocket): PendingSocket | null {
    const all = [...sockets.values()];
    const own = all.filter((each) => each.client === client);
    if (own.length > (isServer ? pendingPerServerAddress : pendingPerAddress)) return own[0] ?? null;
    const others = all.filter((each) => !each.isServer);
    if (isServer || others.length <= pendingOfOthers) return null;
    const groups = Map.groupBy(others, (each) => each.client);
    const largest = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    return largest[0] ?? null;
  }

  return {
    add(socket: Socket, client: string, isServer: boolean): void {
      const key = keyOf(socket);
      const deadline = setTimeout(() => end(socket), handshakeMs);
      const added = { socket, client, isServer, deadline };
      sockets.set(key, added);
      socket.once("close", () => {
        if (sockets.get(key) === added) remove(key);
      });
      const excess = findExcess(added);
      if (excess === null) return;
      remove(keyOf(excess.socket));
      end(excess.socket);
    },
    remove: (socket: Socket) => remove(keyOf(socket)),
  };
}

function createAdmittedSockets(end: (socket: Socket) => void) {
  /** By fingerprint; of each, the one that became idle first is the first idle one. */
  const sockets = new Map<string, Set<TLSSocket>>();
  /** The number of requests that are being handled. */
  const requests = new WeakMap<TLSSocket, number>();
  const fingerprints = new WeakMap<TLSSocket, string>();
  return {
    add(socket: TLSSocket, fingerprint: string): void {
      const own = sockets.get(fingerprint) ?? new Set();
      sockets.set(fingerprint, own.add(socket));
      fingerprints.set(socket, fingerprint);
      socket.once("close", () => own.delete(socket));
      if (own.size <= connectionLimits.perCertificate) return;
      const idle = [...own].find((each) => (requests.get(each) ?? 0) === 0) ?? socket;
      own.delete(idle);
      end(idle);
    },
    setBusy(socket: TLSSocket, isBusy: boolean): void {
      const count = (requests.get(socket) ?? 0) + (isBusy ? 1 : -1);
      requests.set(socket, count);
      const own = sockets.get(fingerprints.get(socket) ?? "");
      // Moves it behind those that became idle before.
      if (count === 0 && own?.delete(socket) === true) own.add(socket);
    },
  };
}

/** A set of at most `size` texts. The one that was added longest ago is forgotten first. */
function createRecentSet(size: number) {
  const texts = new Set<string>();
  return {
    has: (text: string) => texts.has(text),
    add(text: string): void {
      texts.delete(text);
      texts.add(text);
      const [oldest] = texts;
      if (texts.size > size && oldest !== undefined) texts.delete(oldest);
    },
  };
}
