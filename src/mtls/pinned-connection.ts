import { Agent } from "node:https";
import type { Duplex } from "node:stream";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { TlsIdentity } from "./tls-identity.ts";

/** The other side presented a certificate that is not the pinned one. Nothing was sent to it. */
export class UnpinnedCertificateError extends Error {
  override readonly name = "UnpinnedCertificateError";
  readonly presented: string;
  readonly pinned: string;

  constructor(host: string, presented: string, pinned: string) {
    super(
      `${host} presented the certificate ${presented} instead of the pinned ${pinned}. Nothing was sent. ` +
        "If the other side has a new identity, pin its new fingerprint.",
    );
    this.presented = presented;
    this.pinned = pinned;
  }
}

/** The other side ended a new connection before it responded, as it does if it has not pinned the certificate of this side. */
export class ConnectionRejectedError extends Error {
  override readonly name = "ConnectionRejectedError";
  /** The fingerprint of this side. */
  readonly presented: string;

  constructor(presented: string, cause: Error) {
    super(
      `The other side ended the connection (${cause.message}). It may not have pinned this side's certificate ${presented}.`,
      { cause },
    );
    this.presented = presented;
  }
}

/** Without it, a host that does not respond would occupy a connection for minutes. */
const connectTimeoutMs = 10_000;

/** Each context is 30 kB and a millisecond: all connections of an identity share one. */
const contexts = new WeakMap<TlsIdentity, SecureContext>();

function contextOf(identity: TlsIdentity): SecureContext {
  const known = contexts.get(identity);
  if (known) return known;
  const { privateKey: key, certificate: cert } = identity;
  const context = createSecureContext({ key, cert, minVersion: "TLSv1.3" });
  contexts.set(identity, context);
  return context;
}

/**
 * Keep-alive connections to one host. Each is checked against the pinned fingerprint before a request gets it: until
 * the check has passed, nothing can write to it.
 */
export class PinnedAgent extends Agent {
  readonly #identity: TlsIdentity;
  readonly #fingerprint: string;
  /** Connections whose handshake has not ended. Node's agent does not know them yet. */
  readonly #pending = new Set<TLSSocket>();

  constructor(identity: TlsIdentity, fingerprint: string, maxConnections: number) {
    // The limit for idle connections too. Node does not count pending ones, so a burst exceeds it for a moment.
    // Without cached TLS sessions, every connection presents the certificate again.
    super({ keepAlive: true, maxSockets: maxConnections, maxCachedSessions: 0 });
    this.#identity = identity;
    this.#fingerprint = fingerprint;
  }

  override createConnection(
    options: { readonly host?: string | null; readonly port?: number | string | null },
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const host = options.host ?? "localhost";
    const socket: TLSSocket = connect({
      host,
      port: Number(options.port),
      secureContext: contextOf(this.#identity),
      ALPNProtocols: ["http/1.1"],
      // No authority signs these certificates; the fingerprint decides.
      rejectUnauthorized: false,
    });
    this.#pending.add(socket);
    socket.once("close", () => this.#pending.delete(socket));
    const onError = (error: Error) => callback(error, socket);
    const onTimeout = () =>
      socket.destroy(new Error(`${host} did not respond within ${connectTimeoutMs / 1000} s.`));
    socket.once("error", onError);
    socket.setTimeout(connectTimeoutMs, onTimeout);
    socket.once("secureConnect", () => {
      this.#pending.delete(socket);
      socket.off("error", onError);
      socket.setTimeout(0, onTimeout);
      const presented = socket.getPeerX509Certificate()?.fingerprint256 ?? "none";
      if (presented === this.#fingerprint) return callback(null, socket);
      socket.destroy();
      callback(new UnpinnedCertificateError(host, presented, this.#fingerprint), socket);
    });
  }

  override destroy(): void {
    for (const socket of this.#pending) socket.destroy();
    super.destroy();
  }
}
