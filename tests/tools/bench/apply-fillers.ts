/**
 * Sends many peerings to an agent concurrently, as the server does. Runs in the provider's host.
 *
 * Arguments: the folder of the server's identity, the folder of the agent's identity, the agent's URL, and a file with
 * the request bodies as JSON.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { agentCalls, type ApplyOutcome } from "#contract/agent.ts";
import type { CallInput } from "#contract/call.ts";
import { createCaller } from "#contract/client.ts";
import { createPinnedTransport } from "#mtls/pinned-transport.ts";
import { openIdentity } from "#mtls/tls-identity.ts";
import { withProtocol } from "#contract/agent/agent-protocol.ts";

const concurrency = 8;
/** The server may repair the same peerings at the same time, and an agent limits its connections. */
const maxAttempts = 20;
const retryDelayMs = 250;

const [serverFolder = "", agentFolder = "", url = "", file = ""] = process.argv.slice(2);
const identity = await openIdentity(serverFolder, "Peerdeck server");
const { fingerprint } = await openIdentity(agentFolder, "Peerdeck agent");
await using transport = createPinnedTransport({ url, identity, fingerprint, timeoutMs: 300_000 });
const call = createCaller(withProtocol(transport));
const requestBodies = JSON.parse(await readFile(file, "utf8")) as Array<CallInput<typeof agentCalls.apply>>;
const pending = requestBodies.values();

async function applyWithRetry(body: (typeof requestBodies)[number]): Promise<ApplyOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(agentCalls.apply, body);
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await pause(retryDelayMs);
    }
  }
}

async function work(): Promise<void> {
  for (const body of pending) {
    const { outcome, reason } = await applyWithRetry(body);
    if (outcome !== "applied") throw new Error(`AS${body.asn}: ${JSON.stringify(reason)}`);
  }
}

await Promise.all(Array.from({ length: concurrency }, work));
