/**
 * Calls an agent from inside a host's namespaces. The argument is `{ identity, fingerprint, url, calls }` as
 * JSON, with `calls` a list of `[name, body]`. Prints the responses as one JSON line.
 */
import { agentCalls, type AgentCalls } from "../../src/contract/agent.ts";
import { createCaller } from "../../src/contract/client.ts";
import { createPinnedTransport } from "../../src/mtls/pinned-transport.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { withProtocol } from "../../src/contract/agent/agent-protocol.ts";

export interface AgentCallsRequest {
  /** The folder of the server's identity. */
  readonly identity: string;
  readonly fingerprint: string;
  readonly url: string;
  readonly calls: ReadonlyArray<readonly [keyof AgentCalls, unknown]>;
}

const request = JSON.parse(process.argv[2] ?? "") as AgentCallsRequest;
const identity = await openIdentity(request.identity, "server");
await using transport = createPinnedTransport({ ...request, identity, timeoutMs: 60_000 });
const call = createCaller(withProtocol(transport)) as (
  definition: unknown,
  body: unknown,
) => Promise<unknown>;
const responses: unknown[] = [];
for (const [name, body] of request.calls) responses.push(await call(agentCalls[name], body));
process.stdout.write(`${JSON.stringify(responses)}\n`);
