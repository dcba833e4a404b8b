import type { IncomingMessage } from "node:http";
import { request as send } from "node:https";
import type { Transport, TransportRequest, TransportResponse } from "../contract/client.ts";
import { ConnectionRejectedError, PinnedAgent } from "./pinned-connection.ts";
import type { TlsIdentity } from "./tls-identity.ts";

export interface PinnedTransportOptions {
  /** `https://host:port`; a path is ignored. */
  readonly url: string;
  readonly identity: TlsIdentity;
  /** The fingerprint of the other side, canonical. */
  readonly fingerprint: string;
  /** From the call to the last byte of the response. */
  readonly timeoutMs: number;
  /** Further requests wait for a connection. Default 8. */
  readonly maxConnections?: number;
}

export type PinnedTransport = Transport & AsyncDisposable;

/** Calls whose response may be longer say so. */
const defaultMaxBytes = 256 * 1024;

/**
 * Creates a transport over mutual TLS to the program with the pinned certificate.
 *
 * It rejects with `UnpinnedCertificateError` for another certificate, with `ConnectionRejectedError` if the other side may
 * have refused the client certificate, with a `TimeoutError` after `timeoutMs`, with the abort reason of the caller's
 * signal, and otherwise with the network error.
 */
export function createPinnedTransport(options: PinnedTransportOptions): PinnedTransport {
  const { identity, fingerprint, maxConnections = 8 } = options;
  const agent = new PinnedAgent(identity, fingerprint, maxConnections);
  const transport: Transport = async (request) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = request.signal instanceof AbortSignal ? AbortSignal.any([limit, request.signal]) : limit;
    for (;;) {
      try {
        return await sendRequest(options, agent, request, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        // The other side closed an idle connection while the request was sent. A call to an agent may be sent twice. Each
        // attempt uses up one idle connection, so the last one has a new connection.
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
  };
  return Object.assign(transport, {
    [Symbol.asyncDispose]: async () => agent.destroy(),
  });
}

class StaleConnectionError extends Error {}

function sendRequest(
  { url, identity }: Pick<PinnedTransportOptions, "url" | "identity">,
  agent: PinnedAgent,
  request: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    // While its connection is pending, a request does not report its abort.
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const outgoing = send(
      new URL(request.path, url),
      { agent, method: request.method, headers: headersOf(request), signal },
      (incoming) => {
        readText(incoming, request.maxResponseBytes ?? defaultMaxBytes).then(
          (text) => resolve(createResponse(incoming, text)),
          reject,
        );
      },
    );
    outgoing.on("close", () => signal.removeEventListener("abort", abort));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
      else if (outgoing.reusedSocket && error.code === "ECONNRESET")
        reject(new StaleConnectionError(error.message, { cause: error }));
      // Without a socket the handshake had not ended.
      else reject(outgoing.socket ? new ConnectionRejectedError(identity.fingerprint, error) : error);
    });
    outgoing.end(request.body ?? undefined);
  });
}

function createResponse({ headers, statusCode = 0 }: IncomingMessage, text: string): TransportResponse {
  const sentAt = Date.parse(headers.date ?? "");
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return { status: statusCode, ...(!Number.isNaN(sentAt) && { sentAt }), header, text: async () => text };
}

function headersOf({ headers, body }: TransportRequest): Record<string, string> {
  return { ...headers, ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }) };
}

async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      incoming.destroy();
      throw new Error(`The response is larger than ${maxBytes} bytes; the rest was not read.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
