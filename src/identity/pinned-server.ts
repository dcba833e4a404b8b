/**
 * The listening side of a connection between two programs that know each other by fingerprint.
 *
 * Invariant: a connection whose certificate is not pinned is destroyed in the same turn of the event loop in
 * which its handshake ends, before the HTTP parser has seen a byte of it.
 */
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TlsIdentity } from "./tls-identity.ts";

export interface PinnedServerOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly identity: TlsIdentity;
  /** Fingerprints of the clients that may connect, canonical. */
  readonly fingerprints: readonly string[];
  readonly listener: RequestListener;
  /** Told of each connection that was refused: its fingerprint, or null where it showed no certificate. */
  readonly onRefused: (fingerprint: string | null, address: string) => void;
}

export interface PinnedServer extends AsyncDisposable {
  readonly address: AddressInfo;
}

const maxConnections = 64;

/** Listens; ends with requests under way answered and idle connections closed. Rejects where the port is taken. */
export async function listenPinned(options: PinnedServerOptions): Promise<PinnedServer> {
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
    const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
    if (shown !== null && allowed.has(shown)) return;
    options.onRefused(shown, socket.remoteAddress ?? "");
    socket.destroy();
  });
  server.listen(options.port, options.host);
  // Rejects with the error where there is one first.
  await once(server, "listening");
  return {
    address: server.address() as AddressInfo,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
