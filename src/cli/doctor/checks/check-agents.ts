import { nodeHost } from "#contract/node-host.ts";
import type { UnreachableCause } from "#domain/findings/table/node-findings.ts";
import { readFindings } from "#domain/findings/findings.ts";
import type { Transport } from "#contract/client.ts";
import { createPinnedTransport } from "#mtls/pinned-transport.ts";
import { UnpinnedCertificateError } from "#mtls/pinned-connection.ts";
import type { TlsIdentity } from "#mtls/tls-identity.ts";
import { createAgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import { finding, type Finding } from "../sentences/sentences.ts";
import { callLimitMs, type Check } from "../doctor-context.ts";

/** More than the resolution of the header and a slow response. */
const maxSkewSeconds = 5;

export const checkAgents: Check = {
  name: "the agents",
  run: async ({ profile, identity, readDatabase }) => {
    if (!profile) return [];
    const nodes = (await readDatabase()).nodes ?? profile.nodes;
    if (nodes.length === 0) return [finding("nodes-none")];
    if (!identity) return [finding("identity-missing")];
    const checked = nodes.map((node) => checkAgent(node, nodeHost(node.name, profile.domain), identity));
    return (await Promise.all(checked)).flat();
  },
};

async function checkAgent(
  { name, agent }: Pick<ProviderNode, "name" | "agent">,
  host: string,
  identity: TlsIdentity,
): Promise<readonly Finding[]> {
  // Of a profile, whose check names it.
  if (!agent) return [];
  await using transport = createPinnedTransport({ ...agent, identity, timeoutMs: callLimitMs });
  const clock = createSkewReader(transport);
  const agents = createAgentClient(new Map([[name, clock.transport]]));
  try {
    const [facts, health] = await Promise.all([
      agents.ask(name, "facts", undefined, { timeoutMs: callLimitMs }),
      agents.ask(name, "health", undefined, { timeoutMs: callLimitMs }),
    ]);
    const seconds = clock.readSkewSeconds();
    return [
      facts.node === name
        ? finding("agent-ok", { host, version: facts.version })
        : finding("agent-name", { host, name: facts.node }),
      ...(facts.simulation ? [finding("agent-simulated", { host })] : []),
      ...(Math.abs(seconds) > maxSkewSeconds ? [finding("agent-clock", { host, seconds })] : []),
      ...readFindings(health.findings).map((found) => finding("agent-finding", { host, finding: found })),
    ];
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    const found = agents.readFailures().get(name)?.(host) ?? error.finding(host);
    if (found.code !== "node-unreachable") return [finding("agent-problem", { finding: found })];
    const presented = error.cause instanceof UnpinnedCertificateError ? error.cause.presented : null;
    return [
      finding("agent-unreachable", {
        host,
        cause: (found.facts.cause ?? "other") as UnreachableCause,
        presented,
      }),
    ];
  }
}

/** Notes by how many seconds the other side's clock is ahead, from the time in its last response. */
function createSkewReader(transport: Transport) {
  let seconds = 0;
  return {
    readSkewSeconds: () => seconds,
    transport: (async (request) => {
      const startedAt = Date.now();
      const response = await transport(request);
      // The header has whole seconds.
      if (response.sentAt !== undefined)
        seconds = Math.round((response.sentAt + 500 - (startedAt + Date.now()) / 2) / 1000);
      return response;
    }) satisfies Transport,
  };
}
