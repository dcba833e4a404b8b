/** Servers with another or an older database than the one that deployed a node's peerings. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentCalls } from "../../contract/agent.ts";
import { type AgentScene, openAgentScene } from "../fixtures/agent-scene.ts";
import { createMemoryStore, type MemoryStore } from "../fixtures/memory-store.ts";
import { database as owner, peeringOf, routed } from "../fixtures/peerings.ts";

const other = "9b7e4f10-other";
const asn = "4242420001";
let store: MemoryStore;
let scene: AgentScene;

beforeEach(async () => {
  store = createMemoryStore();
  scene = await openAgentScene(store);
});
afterEach(() => scene.agent[Symbol.asyncDispose]());

async function restart(): Promise<void> {
  await scene.agent[Symbol.asyncDispose]();
  scene = await openAgentScene(store);
}

type Request = Parameters<AgentScene["apply"]>[0];

const deploy = (changes: Partial<Request> = {}) =>
  scene.apply({ asn, generation: 10, desired: peeringOf(1), ...changes });

const refused = {
  outcome: "refused",
  steps: [],
  reason: { code: "other-database", facts: {} },
  conflict: true,
};

test("refuses changes and removals by another database, also after a restart", async () => {
  await deploy();
  await restart();
  const saved = store.saved;
  for (const desired of [null, peeringOf(1, { endpointPort: 7 })])
    expect(await deploy({ generation: 900, desired, database: other })).toEqual(refused);
  expect(store.saved).toBe(saved);
  expect(await deploy({ generation: 11, desired: null })).toMatchObject({ outcome: "applied" });
});

test("accepts new peerings of another database, which then owns only these", async () => {
  await deploy();
  const foreign = { asn: "4242420002", generation: 1, database: other };
  expect(await scene.apply({ ...foreign, desired: peeringOf(2) })).toMatchObject({ outcome: "applied" });
  const removed = await scene.apply({ ...foreign, generation: 2, desired: null });
  expect(removed).toMatchObject({ outcome: "applied" });
});

test("refuses to replace a version that the database does not know", async () => {
  await deploy();
  expect(await deploy({ generation: 11, desired: null, knownGenerations: [8, 9, 11] })).toEqual({
    ...refused,
    reason: { code: "version-unknown", facts: {} },
  });
  expect(await deploy({ generation: 11, desired: null, knownGenerations: [9, 10] })).toMatchObject({
    outcome: "applied",
  });
});

test("a peering is paired with a database if its generation is still the same", async () => {
  store = createMemoryStore([
    { asn, generation: 10, routed: routed(peeringOf(1)), database: other },
    { asn: "4242420002", generation: 20, routed: routed(peeringOf(2)), database: other },
  ]);
  await restart();
  const peerings = [
    { asn, generation: 10 },
    { asn: "4242420002", generation: 19 },
    { asn: "4242420003", generation: 1 },
  ];
  expect(await scene.call(agentCalls.pair, { database: owner, peerings })).toEqual({
    changed: ["4242420002", "4242420003"],
  });
  expect(await scene.call(agentCalls.peerings, undefined)).toEqual([
    { asn, generation: 10, database: owner, peering: peeringOf(1) },
    { asn: "4242420002", generation: 20, database: other, peering: peeringOf(2) },
  ]);
  expect(await deploy({ generation: 11, desired: null, database: other })).toEqual(refused);
});

test("the node's health reports refused attempts until ten minutes after the last one, or until a pairing", async () => {
  const readFindings = async () => {
    await scene.clock.advance(1000);
    return (await scene.call(agentCalls.health, undefined)).findings;
  };
  await deploy();
  expect(await readFindings()).toEqual([]);
  await deploy({ generation: 900, desired: null, database: other });
  expect(await readFindings()).toEqual([{ code: "database-refused", facts: { peerings: 1 } }]);
  await scene.clock.advance(10 * 60_000);
  expect(await readFindings()).toEqual([]);
  await deploy({ generation: 900, desired: null, database: other });
  await scene.call(agentCalls.pair, { database: other, peerings: [{ asn, generation: 10 }] });
  expect(await readFindings()).toEqual([]);
});
