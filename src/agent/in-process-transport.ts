import type { Transport } from "../contract/client.ts";
import type { Agent } from "./agent.ts";

/**
 * Calls to an agent in the same process, through the handler that serves TLS elsewhere. Rejects with a
 * `TimeoutError` after `timeoutMs`, and with the caller's reason when its signal aborts; what the agent has
 * begun by then it ends on its own, as a remote one does.
 */
export function createInProcessTransport(handle: Agent["handle"], timeoutMs: number): Transport {
  return async ({ method, path, headers, body, signal: given }) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = given instanceof AbortSignal ? AbortSignal.any([limit, given]) : limit;
    const request = new Request(`http://agent${path}`, {
      method,
      headers,
      signal,
      ...(body !== null && { body }),
    });
    const ended = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), {
        once: true,
        signal: ended.signal,
      });
      if (signal.aborted) reject(signal.reason as Error);
    });
    try {
      const response = await Promise.race([handle(request), aborted]);
      return { status: response.status, text: () => response.text() };
    } finally {
      ended.abort();
    }
  };
}
