/**
 * Calls an agent from inside a host's namespaces. Its argument is `{ identity, fingerprint, url, calls }` in JSON,
 * with `calls` a list of `[name, body]`; it writes the answers as one JSON line.
 */
import { agentCalls, type AgentCalls } from "../../src/contract/agent.ts";
import { createCaller } from "../../src/contract/client.ts";
import { createPinnedTransport } from "../../src/identity/pinned-transport.ts";
import { openIdentity } from "../../src/identity/tls-identity.ts";

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
const call = createCaller(transport) as (definition: unknown, body: unknown) => Promise<unknown>;
const answers: unknown[] = [];
for (const [name, body] of request.calls) answers.push(await call(agentCalls[name], body));
process.stdout.write(`${JSON.stringify(answers)}\n`);
