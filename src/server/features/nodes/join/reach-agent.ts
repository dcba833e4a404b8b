import { ProtocolMismatchError } from "#contract/agent/agent-protocol.ts";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { describeToOperator, type Finding } from "#domain/findings/findings.ts";
import { UnpinnedCertificateError } from "#mtls/pinned-connection.ts";
import { shortFingerprint } from "#mtls/short-fingerprint.ts";
import { createAgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import { openNodeTransport } from "#server/agents/node-transports.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Joining } from "#server/context.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import { protocolError } from "./read-request.ts";

export interface ReachAgentDeps {
  readonly joining: Joining;
  readonly profile: Pick<Profile, "domain">;
}

/**
 * Connects to the agent of a node that joins, and asks it for its name. Throws `HttpError` 502 if it cannot be reached, and 422
 * if it has another name or protocol.
 */
export async function assertReachable(
  { joining, profile }: ReachAgentDeps,
  node: Pick<ProviderNode, "name" | "agent">,
): Promise<void> {
  const { name } = node;
  const url = node.agent?.url ?? "";
  await using transports = openNodeTransport(node, joining.openTransport);
  const agents = createAgentClient(transports, null, joining.protocol);
  try {
    const facts = await agents.ask(name, "facts", undefined);
    if (facts.node === name) return;
    const message = `The agent at ${url} is that of the node ${facts.node}, and the join line is for ${name}. Nothing was changed.`;
    throw new HttpError(422, { message, field: "url" });
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error;
    if (error.cause instanceof ProtocolMismatchError)
      throw protocolError(error.cause, { node: name }, profile);
    const finding = agents.readFailures().get(name);
    throw new HttpError(502, {
      message: describeFailure(error, { url, host: nodeHost(name, profile.domain), finding }),
    });
  }
}

interface Place {
  readonly url: string;
  readonly host: string;
  /** Why there was no response; absent if there was one. */
  readonly finding: ((host: string) => Finding) | undefined;
}

function describeFailure(error: NodeUnreachableError, { url, host, finding }: Place): string {
  const { cause } = error;
  if (cause instanceof UnpinnedCertificateError)
    return (
      `A proxy or another machine answers at ${url}: its certificate is ${shortFingerprint(cause.presented)}, and that of the agent ` +
      `${shortFingerprint(cause.pinned)}. Nothing was sent to it. Give the agent's own address with --agent-url.`
    );
  const tried = `The server tried ${url}.`;
  if (!finding) return `${describeToOperator(error.finding(host))} ${tried}`;
  return (
    `${describeToOperator(finding(host))} ${tried} Let the firewall accept the server on that port. Behind a NAT, forward the port and ` +
    "give the outer address with --agent-url."
  );
}
