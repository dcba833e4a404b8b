/**
 * An HTTPS server for clients with pinned certificates.
 *
 * Invariant: a connection without a pinned certificate is destroyed in the same turn of the event loop in which its
 * handshake ends, before the HTTP parser gets a byte of it.
 */
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { listen, type ListeningServer } from "./listen.ts";
import type { TlsIdentity } from "./tls-identity.ts";

export interface PinnedServerOptions {
  readonly host: string;
  /** 0: the system chooses one. */
  readonly port: number;
  readonly identity: TlsIdentity;
  /** Fingerprints of the clients that may connect, canonical. */
  readonly fingerprints: readonly string[];
  readonly listener: RequestListener;
  /** Called for each refused connection, with its fingerprint, or null without a certificate. */
  readonly onRefused: (fingerprint: string | null, address: string) => void;
}

const maxConnections = 64;

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
      handshakeTimeout: 10_000,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
    },
    options.listener,
  );
  server.maxConnections = maxConnections;
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const presented = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
    if (presented !== null && allowed.has(presented)) return;
    options.onRefused(presented, socket.remoteAddress ?? "");
    socket.destroy();
  });
  return listen(server, options);
}
