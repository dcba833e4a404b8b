/**
 * The protocol between server and agent. Both send its number with every request and response, and work only with the same
 * number: the agent refuses requests with another one before it reads their bodies, and the server ignores such responses.
 */
import type { Transport } from "../client.ts";

/**
 * Raise it with every change of the agent calls that the other side must know: a call, field or value that is new, gone or
 * required, or has another meaning.
 */
export const agentProtocol = 6;

export const protocolHeader = "peerdeck-protocol";

/** Parses the header's value. Returns null for a side that sends none, which counts as older than every number. */
export function parseProtocol(value: string | null | undefined): number | null {
  return value && /^[0-9]{1,9}$/.test(value) ? Number(value) : null;
}

/** An agent speaks another protocol than the server. */
export class ProtocolMismatchError extends Error {
  override readonly name = "ProtocolMismatchError";

  /** Null for an agent that sends no number. */
  readonly agent: number | null;
  readonly server: number;

  constructor(agent: number | null, server: number) {
    super(`the agent speaks protocol ${agent ?? "unknown"}, the server ${server}`);
    this.agent = agent;
    this.server = server;
  }
}

/** Sends the number with each request. Rejects with `ProtocolMismatchError` if the response has another one. */
export function withProtocol(transport: Transport, protocol = agentProtocol): Transport {
  return async (request) => {
    const headers = { ...request.headers, [protocolHeader]: String(protocol) };
    const response = await transport({ ...request, headers });
    const spoken = parseProtocol(response.header?.(protocolHeader));
    if (spoken !== protocol) throw new ProtocolMismatchError(spoken, protocol);
    return response;
  };
}
