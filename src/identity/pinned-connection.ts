import { Agent } from "node:https";
import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import type { TlsIdentity } from "./tls-identity.ts";

/** The other side showed a certificate that is not the pinned one. Nothing was sent to it. */
export class NotPinned extends Error {
  override readonly name = "NotPinned";

  constructor(host: string, shown: string, pinned: string) {
    super(
      `${host} showed the certificate ${shown} instead of the pinned ${pinned}. Nothing was sent. ` +
        "If the other side has a new identity, pin its new fingerprint.",
    );
  }
}

/** A host that answers nothing would otherwise hold a connection's place for minutes. */
const connectLimitMs = 10_000;

/**
 * Connections to one host, kept alive, each checked against the pinned fingerprint before it is handed to a
 * request: until the check has passed there is nothing that could write to it.
 */
export class PinnedAgent extends Agent {
  readonly #identity: TlsIdentity;
  readonly #fingerprint: string;

  constructor(identity: TlsIdentity, fingerprint: string) {
    // As many are kept. Node does not count those that are still being made, so a burst has more for a moment.
    // Without cached sessions every connection shows the certificate anew.
    super({ keepAlive: true, maxSockets: 8, maxCachedSessions: 0 });
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
      key: this.#identity.privateKey,
      cert: this.#identity.certificate,
      minVersion: "TLSv1.3",
      ALPNProtocols: ["http/1.1"],
      // No authority signs these certificates; the fingerprint decides.
      rejectUnauthorized: false,
    });
    const failed = (error: Error) => callback(error, socket);
    const late = () => socket.destroy(new Error(`${host} did not answer within ${connectLimitMs / 1000} s.`));
    socket.once("error", failed);
    socket.setTimeout(connectLimitMs, late);
    socket.once("secureConnect", () => {
      socket.off("error", failed);
      socket.setTimeout(0, late);
      const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? "none";
      if (shown === this.#fingerprint) return callback(null, socket);
      socket.destroy();
      callback(new NotPinned(host, shown, this.#fingerprint), socket);
    });
  }
}
