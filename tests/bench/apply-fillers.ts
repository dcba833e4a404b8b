/**
 * Sends peerings to an agent as the server does, many at once; runs in the provider's host.
 *
 * Arguments: the folder of the server's identity, that of the agent's, the agent's URL, and a file with the
 * bodies of the calls as JSON.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { agentCalls, type ApplyOutcome } from "../../src/contract/agent.ts";
import type { CallInput } from "../../src/contract/call.ts";
import { createCaller } from "../../src/contract/client.ts";
import { createPinnedTransport } from "../../src/identity/pinned-transport.ts";
import { openIdentity } from "../../src/identity/tls-identity.ts";

const together = 8;
/** The server may repair the same peerings meanwhile, and an agent takes so many connections and no more. */
const tries = 20;
const betweenTriesMs = 250;

const [ownFolder = "", agentFolder = "", url = "", file = ""] = process.argv.slice(2);
const identity = await openIdentity(ownFolder, "Peerdeck server");
const { fingerprint } = await openIdentity(agentFolder, "Peerdeck agent");
await using transport = createPinnedTransport({ url, identity, fingerprint, timeoutMs: 300_000 });
const call = createCaller(transport);
const bodies = JSON.parse(await readFile(file, "utf8")) as Array<CallInput<typeof agentCalls.apply>>;
const waiting = bodies.values();

async function applied(body: (typeof bodies)[number]): Promise<ApplyOutcome> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call(agentCalls.apply, body);
    } catch (error) {
      if (tried === tries) throw error;
      await pause(betweenTriesMs);
    }
  }
}

async function work(): Promise<void> {
  for (const body of waiting) {
    const { outcome, reason } = await applied(body);
    if (outcome !== "applied") throw new Error(`AS${body.asn}: ${reason}`);
  }
}

await Promise.all(Array.from({ length: together }, work));
