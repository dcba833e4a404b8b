import type { IncomingMessage } from "node:http";
import { request as send } from "node:https";
import type { Transport, TransportRequest, TransportResponse } from "../contract/client.ts";
import { PinnedAgent } from "./pinned-connection.ts";
import type { TlsIdentity } from "./tls-identity.ts";

export interface PinnedTransportOptions {
  /** `https://host:port`; a path is ignored. */
  readonly url: string;
  readonly identity: TlsIdentity;
  /** The other side's fingerprint, canonical. */
  readonly fingerprint: string;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
}

export type PinnedTransport = Transport & AsyncDisposable;

const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Calls over mutual TLS to the one program that holds the pinned certificate.
 *
 * Rejects with `NotPinned` when somebody else answers, with a `TimeoutError` when time is up, with the abort
 * reason when the caller's signal fires, and otherwise with the network's error: the other side refused our
 * certificate, or could not be reached.
 */
export function createPinnedTransport(options: PinnedTransportOptions): PinnedTransport {
  const agent = new PinnedAgent(options.identity, options.fingerprint);
  const transport: Transport = async (request) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = request.signal instanceof AbortSignal ? AbortSignal.any([limit, request.signal]) : limit;
    try {
      return await exchange(options.url, agent, request, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // The other side closed a kept connection just as we wrote to it. Every call of the agent may be repeated.
      if (error instanceof StaleConnection) return exchange(options.url, agent, request, signal);
      throw error;
    }
  };
  return Object.assign(transport, {
    [Symbol.asyncDispose]: async () => agent.destroy(),
  });
}

class StaleConnection extends Error {}

function exchange(
  url: string,
  agent: PinnedAgent,
  request: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    // A request whose connection is still being made does not tell of its abort before that has ended.
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const outgoing = send(
      new URL(request.path, url),
      { agent, method: request.method, headers: headersOf(request), signal },
      (incoming) => {
        readText(incoming).then(
          (text) => resolve({ status: incoming.statusCode ?? 0, text: async () => text }),
          reject,
        );
      },
    );
    outgoing.on("close", () => signal.removeEventListener("abort", abort));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const stale = outgoing.reusedSocket && error.code === "ECONNRESET";
      reject(stale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    outgoing.end(request.body ?? undefined);
  });
}

function headersOf({ headers, body }: TransportRequest): Record<string, string> {
  return { ...headers, ...(body !== null && { "content-length": String(Buffer.byteLength(body)) }) };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) {
      incoming.destroy();
      throw new Error(`The answer is larger than ${maxAnswerBytes} bytes; it was not read to its end.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
