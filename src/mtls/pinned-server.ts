/**
 * An HTTPS server for clients with pinned certificates.
 *
 * Invariant: a connection without a pinned certificate is destroyed in the same turn of the event loop in which its
 * handshake ends, before the HTTP parser gets a byte of it. What waits for a handshake or a request is limited in number
 * and time (connection-limits.ts).
 */
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { listen, type ListeningServer } from "../system/listen.ts";
import { type ConnectionLimitsOptions, limitConnections } from "./connection-limits.ts";
import type { TlsIdentity } from "./tls-identity.ts";

export interface PinnedServerOptions extends ConnectionLimitsOptions {
  readonly host: string;
  /** 0: the system chooses one. */
  readonly port: number;
  readonly identity: TlsIdentity;
  /** Fingerprints of the clients that may connect, canonical. */
  readonly fingerprints: readonly string[];
  readonly listener: RequestListener;
  /** From the end of the handshake, or the start of a later request, to the end of the headers; default five seconds. */
  readonly headersTimeoutMs?: number;
  /** Called for each accepted connection, with its fingerprint. */
  readonly onAccepted: (fingerprint: string, address: string) => void;
  /** Called for each refused connection, with its fingerprint, or null without a certificate. */
  readonly onRefused: (fingerprint: string | null, address: string) => void;
}

/** To the end of the body. */
const requestTimeoutMs = 15_000;
const checkIntervalMs = 1_000;
/** Longer than the interval of the server's regular calls: a connection that exists needs no handshake under attack. */
const idleTimeoutMs = 75_000;

/** Starts the server. Rejects if the port is taken. */
export async function listenPinned(options: PinnedServerOptions): Promise<ListeningServer> {
  const allowed = new Set(options.fingerprints);
  const server = createServer(
    {
      key: options.identity.privateKey,
      cert: options.identity.certificate,
      minVersion: "TLSv1.3",
      requestCert: true,
      // No authority signs these certificates; the fingerprint below decides.
      rejectUnauthorized: false,
      headersTimeout: options.headersTimeoutMs ?? 5_000,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      keepAliveTimeout: idleTimeoutMs,
    },
    options.listener,
  );
  const limiter = limitConnections(server, options);
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const presented = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
    const pinned = presented !== null && allowed.has(presented) ? presented : null;
    limiter.finishHandshake(socket, pinned);
    const address = socket.remoteAddress ?? "";
    if (pinned !== null) return options.onAccepted(pinned, address);
    options.onRefused(presented, address);
    socket.destroy();
  });
  return listen(server, options);
}
