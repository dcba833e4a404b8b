import type { MiddlewareHandler } from "hono";
import { parseProtocol, protocolHeader } from "../../contract/agent/agent-protocol.ts";
import type { Log } from "../log.ts";

/**
 * Refuses requests of servers that speak another protocol, before their bodies are read. Every response has the agent's own
 * number. A refused number is logged when it differs from the last one.
 */
export function checkProtocol(own: number, log: Pick<Log, "warn">): MiddlewareHandler {
  let lastRefused: number | null | undefined;
  return async (context, next) => {
    context.header(protocolHeader, String(own));
    const server = parseProtocol(context.req.header(protocolHeader));
    if (server === own) return next();
    const spoken = server === null ? "sends no protocol number" : `speaks protocol ${server}`;
    const older = (server ?? -1) < own ? "server" : "agent";
    const message = `The server ${spoken}, this agent speaks ${own}. Nothing was changed. Upgrade the ${older}.`;
    if (server !== lastRefused) log.warn({ server, agent: own }, message);
    lastRefused = server;
    // RFC 9110, 15.5.22: the response names the protocol that would be accepted.
    return context.json({ message }, 426, { upgrade: `peerdeck/${own}`, connection: "upgrade" });
  };
}
