import { agentProtocol, protocolHeader } from "../../src/contract/agent/agent-protocol.ts";
import type { TransportResponse } from "../../src/contract/client.ts";

/** A response of an agent that speaks this version's protocol. */
export function agentResponse(body: unknown, status = 200): TransportResponse {
  return {
    status,
    header: (name) => (name === protocolHeader ? String(agentProtocol) : null),
    text: async () => JSON.stringify(body),
  };
}
