/** A node's WireGuard keys, over pinned TLS, with agents that are killed. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { peeringOf, sender } from "#agent/fixtures/peerings.ts";
import { agentCalls } from "#contract/agent.ts";
import { withProtocol } from "#contract/agent/agent-protocol.ts";
import { type Caller, createCaller } from "#contract/client.ts";
import { type AgentHost, createAgentHost, waitUntilListening } from "./agent-host.ts";

const peering = peeringOf(1);
const { asn } = peering;

/** Starts an agent, calls it, and kills it. */
async function withAgent(host: AgentHost, use: (call: Caller) => Promise<void>): Promise<void> {
  const child = host.start(await host.configure());
  const { port, fingerprint } = await waitUntilListening(child);
  const transport = host.connect(port, fingerprint);
  await use(createCaller(withProtocol(transport)));
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  await transport[Symbol.asyncDispose]();
}

const readKeys = async (call: Caller) => (await call(agentCalls.facts, undefined)).keys;
const add = async (call: Caller, id: string) => (await call(agentCalls.addNodeKey, { id })).publicKey;
const apply = (call: Caller, generation: number, nodeKey?: string) =>
  call(agentCalls.apply, { ...sender, asn, generation, desired: { ...peering, nodeKey } });

test("a killed agent has the keys that it returned, and the peerings that use them", async () => {
  await using host = await createAgentHost();
  let [added, unused] = ["", ""];
  await withAgent(host, async (call) => {
    added = await add(call, "r1");
    expect(await apply(call, 1, added)).toMatchObject({ outcome: "applied" });
    unused = await add(call, "r2");
  });
  await withAgent(host, async (call) => {
    expect((await readKeys(call)).slice(1)).toEqual([added, unused]);
    expect([await add(call, "r1"), await add(call, "r2")]).toEqual([added, unused]);
    expect(await call(agentCalls.peerings, undefined)).toMatchObject([{ asn, peering: { nodeKey: added } }]);
    await expect(call(agentCalls.removeNodeKey, { publicKey: added })).rejects.toMatchObject({
      status: 409,
      body: {
        message: `The peering with AS${asn} uses this WireGuard key. Move it to another key of the node first.`,
      },
    });
    expect(await call(agentCalls.removeNodeKey, { publicKey: unused })).toEqual({});
  });
  await withAgent(host, async (call) => {
    expect((await readKeys(call)).slice(1)).toEqual([added]);
    expect(await apply(call, 2, unused)).toMatchObject({
      outcome: "refused",
      reason: { code: "node-key-missing", facts: { publicKey: unused } },
    });
    expect(await apply(call, 3)).toMatchObject({ outcome: "applied" });
    expect(await call(agentCalls.removeNodeKey, { publicKey: added })).toEqual({});
    expect(await readKeys(call)).toHaveLength(1);
  });
});
