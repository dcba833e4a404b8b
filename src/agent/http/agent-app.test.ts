import { afterEach, beforeEach, expect, test } from "vitest";
import { agentCalls } from "../../contract/agent.ts";
import { agentProtocol, protocolHeader } from "../../contract/agent/agent-protocol.ts";
import { type AgentScene, openAgentScene } from "../fixtures/agent-scene.ts";
import { database, dualStackOf, peeringOf, sender } from "../fixtures/peerings.ts";

const asn = "4242420001";
const firstKey = "Da/7lBhLUj27/sq/XJI2JBKdJf2YFhRan1S5XjpMGhA=";
let scene: AgentScene;
beforeEach(async () => {
  scene = await openAgentScene();
});
afterEach(() => scene.agent[Symbol.asyncDispose]());

const call: AgentScene["call"] = (...given) => scene.call(...given);
const apply = (generation: number, desired = dualStackOf(1)) => scene.apply({ asn, generation, desired });
const observe = () => call(agentCalls.observe, undefined);
const generations = () => call(agentCalls.generations, undefined);
const readWireguard = async () => (await call(agentCalls.details, { asn })).wireguard;

const filesWritten = { code: "files-written", facts: {} };
const codesOf = ({ steps }: Awaited<ReturnType<typeof apply>>) => steps.map(({ code }) => code).join(" ");

const headers = { [protocolHeader]: String(agentProtocol) };
const send = (path: string, method: string, body: string) =>
  scene.agent.handle(
    new Request(`http://agent${path}`, { method, headers, ...(method === "POST" && { body }) }),
  );

test("returns the node's facts", async () => {
  expect(await call(agentCalls.facts, undefined)).toEqual({
    node: "syd01",
    publicKey: firstKey,
    keys: [firstKey],
    simulation: true,
    version: "unpackaged",
  });
});

test("applies, observes, inspects and deletes a peering", async () => {
  expect(codesOf(await apply(1))).toBe(
    "files-written bird-loaded session-created session-created tunnel-created confirmed",
  );
  expect(await generations()).toEqual([{ asn, generation: 1, present: true, database }]);
  expect(await observe()).toMatchObject([{ asn, tunnel: { state: "Up" }, bgpStatus: "OK", findings: [] }]);
  expect(await call(agentCalls.observePeering, { asn })).toEqual({ peering: (await observe())[0] });
  expect(await call(agentCalls.observePeering, { asn: "4242420002" })).toEqual({ peering: null });
  expect(await call(agentCalls.checkBgp, { asn })).toMatchObject({ addressFamilies: null });
  expect(await readWireguard()).toContain("interface: dn42_4242420001\n");
  expect((await call(agentCalls.receivedRoutes, { asn })).output).toContain("Table master6:");
  expect(await call(agentCalls.refusedRoutes, { asn })).toMatchObject({ routes: [], limits: [] });
  expect((await call(agentCalls.advertisedRoutes, { asn })).output).toContain("Table master4:");
  expect(await call(agentCalls.restartBgp, { asn })).toMatchObject({ ok: true });
  await apply(1);
  const metrics = await scene.agent.metrics();
  expect(metrics).toContain('peerdeck_agent_applies_total{node="syd01",outcome="applied"} 2\n');
  expect(metrics).toContain('peerdeck_agent_bgp_sessions_established{node="syd01"} 2\n');
  expect(metrics).toContain('peerdeck_agent_peerings{node="syd01",tunnel="up"} 1\n');
  const deleted = await scene.apply({ asn, generation: 2, desired: null });
  expect(codesOf(deleted)).toMatch(/ session-removed session-removed confirmed tunnel-removed$/);
  expect(await generations()).toEqual([{ asn, generation: 2, present: false, database }]);
  expect(await observe()).toEqual([]);
});

test("returns the steps of a change while it is in progress, also on a slow node", async () => {
  scene.agent.setMode("slow");
  const steps = async () => (await call(agentCalls.progress, { asn, generation: 1 })).steps;
  const outcome = call(agentCalls.apply, { ...sender, asn, generation: 1, desired: peeringOf(1) });
  await scene.clock.advance(6_249);
  expect(await steps()).toEqual([]);
  await scene.clock.advance(1);
  expect(await steps()).toEqual([filesWritten]);
  await scene.clock.advance(8_750);
  expect((await outcome).steps).toHaveLength(5);
  expect(await steps()).toEqual([]);
});

const tell = (version: string, endpoints: readonly string[]) =>
  call(agentCalls.setOtherNodes, {
    nodes: [],
    changed: [],
    strictSource: false,
    provider: { version, endpoints: [...endpoints], servers: ["192.0.2.10"] },
  });
const toldVersion = async () => (await call(agentCalls.exposure, undefined)).providerVersion;

test("an endpoint that the server tells as the provider's is refused from the next apply on; what runs stays", async () => {
  const desired = peeringOf(1);
  expect(await toldVersion()).toBeNull();
  expect(await apply(1, desired)).toMatchObject({ outcome: "applied" });
  await tell("1", ["198.51.100.1", "de01.example.net"]);
  await scene.clock.advance(60_000);
  expect([await toldVersion(), await observe()]).toMatchObject(["1", [{ asn, tunnel: { state: "Up" } }]]);
  const refused = { outcome: "refused", reason: { code: "value-rejected", facts: { field: "remote_ip" } } };
  expect(await apply(2, desired)).toMatchObject(refused);
  expect(await apply(3, peeringOf(1, { endpointHost: "de01.example.net" }))).toMatchObject(refused);
  expect(await observe()).toMatchObject([{ asn, tunnel: { state: "Up" } }]);
  await tell("2", []);
  expect(await apply(4, desired)).toMatchObject({ outcome: "applied" });
});

test("a list of 100,000 addresses is refused, and the one of before is kept", async () => {
  await tell("1", []);
  const many = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  await expect(tell("2", many)).rejects.toMatchObject({ status: 422 });
  expect(await toldVersion()).toBe("1");
});

test("a ping of an address family without a tunnel address fails without output", async () => {
  await apply(1, peeringOf(1));
  expect(await call(agentCalls.ping, { asn, family: "ipv4" })).toEqual({ result: "failed", output: "" });
  const ping = call(agentCalls.ping, { asn, family: "ipv6" });
  await scene.clock.advance(3000);
  expect(await ping).toMatchObject({ result: "success" });
});

test("measures the round trip to a host without a peering, and null where no endpoint can be", async () => {
  const measured = await call(agentCalls.roundTrip, { host: "router.example.net" });
  expect(measured.latencyMs).toBeGreaterThan(0);
  expect(await call(agentCalls.roundTrip, { host: "127.0.0.1" })).toEqual({ latencyMs: null });
});

test("refuses a hostname that does not resolve, and sets up a tunnel to the address of one that does", async () => {
  expect(await apply(1, dualStackOf(1, { endpointHost: "nowhere.invalid" }))).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "endpoint-unresolved", facts: { host: "nowhere.invalid" } },
  });
  const { steps } = await apply(2, dualStackOf(1, { endpointHost: "router.example.net" }));
  const endpoint = expect.stringMatching(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+:51820$/);
  expect(steps).toContainEqual({
    code: "tunnel-created",
    facts: { port: expect.any(Number) as number, endpoint },
  });
});

test("uses the IPv6 address of a hostname whose IPv4 address is silent, and says so", async () => {
  const host = "ipv6.example.net";
  const peering = dualStackOf(1, { endpointHost: host });
  await apply(1, peering);
  expect(await observe()).toMatchObject([
    { tunnel: { state: "Down", endpoint: expect.stringMatching(/^\d+\.[\d.]+:51820$/) } },
  ]);
  await scene.clock.advance(60_000);
  const facts = { host, address: expect.stringMatching(/^2001:db8::/), family: "IPv6", silent: "IPv4" };
  expect(await observe()).toMatchObject([
    {
      tunnel: { state: "Up", endpoint: expect.stringMatching(/^\[2001:db8::\w+\]:51820$/) },
      findings: [{ code: "endpoint-other-family", facts }],
    },
  ]);
  // An edit keeps the address, and the reason.
  await apply(2, { ...peering, listenPort: 20_009 });
  await scene.clock.advance(5_000);
  expect(await observe()).toMatchObject([
    { tunnel: { state: "Up" }, findings: [{ code: "endpoint-other-family", facts }] },
  ]);
});

test.each([
  "details",
  "checkBgp",
  "restartBgp",
  "receivedRoutes",
  "refusedRoutes",
  "advertisedRoutes",
] as const)("%s of an AS without a peering returns 404", async (name) => {
  await expect(call(agentCalls[name], { asn })).rejects.toMatchObject({
    status: 404,
    body: { message: "This node has no peering with AS4242420001." },
  });
});

test.each([
  ["/v1/apply", "{", 400, { message: "The body is not valid JSON. Nothing was changed." }],
  ["/v1/apply", '{"asn":"4242420001","generation":"1","desired":null}', 422, { field: "generation" }],
  [
    "/v1/apply",
    " ".repeat(64 * 1024 + 1),
    413,
    { message: "The body is larger than 65536 bytes. Nothing was changed." },
  ],
  ["/v1/facts", "", 404, { message: "The agent has no call POST /v1/facts." }],
])("POST %s is rejected without changing anything: %#", async (path, body, status, response) => {
  const rejected = await send(path, "POST", body);
  expect([rejected.status, await rejected.json()]).toMatchObject([status, response]);
});

test("an offline node does not respond, and is unchanged afterwards", async () => {
  await apply(1);
  scene.agent.setMode("offline");
  await expect(call(agentCalls.generations, undefined)).rejects.toThrow(
    "connect EHOSTUNREACH syd01 (simulated)",
  );
  scene.agent.setMode("normal");
  expect(await observe()).toMatchObject([{ asn, tunnel: { state: "Up" } }]);
});

test("a node that refuses a change gives the reason and keeps its configuration", async () => {
  await apply(1);
  scene.agent.setMode("refuse");
  expect(await apply(2, dualStackOf(1, { endpointPort: 4242 }))).toEqual({
    outcome: "refused",
    steps: [filesWritten],
    reason: { code: "bird-refused", facts: {} },
  });
  expect(await readWireguard()).toContain("endpoint: 198.51.100.1:51820\n");
  const output = "BIRD 2.0.12 ready.\nAccess denied\n";
  expect(await call(agentCalls.restartBgp, { asn })).toEqual({ ok: false, output });
});

test("a slow node reports it in its health", async () => {
  expect(await call(agentCalls.health, undefined)).toMatchObject({ status: "OK", findings: [] });
  scene.agent.setMode("slow");
  await scene.clock.advance(1000);
  expect(await call(agentCalls.health, undefined)).toMatchObject({
    status: "Issues",
    findings: [{ code: "heavy-load", facts: {} }],
  });
});

test("a peering without an endpoint comes up", async () => {
  await apply(1, dualStackOf(1, { endpointHost: null, endpointPort: null }));
  expect(await observe()).toMatchObject([{ tunnel: { state: "Up" }, bgpStatus: "OK" }]);
  // As WireGuard learns it from the first packet.
  expect(await readWireguard()).toMatch(/endpoint: [\d.]+:\d+\n/);
  expect(await readWireguard()).not.toContain("keepalive");
});

test("no response contains a pre-shared key, and the list of peerings says which have one", async () => {
  const presharedKey = Buffer.alloc(32, 7).toString("base64");
  await apply(1, dualStackOf(1, { presharedKey }));
  await apply(2, dualStackOf(1, { presharedKey, listenPort: 20_009 }));
  const mistaken = await apply(3, dualStackOf(1, { presharedKey: `${presharedKey}\n` }));
  expect(mistaken.outcome).toBe("refused");
  const responses = [JSON.stringify(mistaken)];
  for (const { method, path } of Object.values(agentCalls)) {
    const body = JSON.stringify({ asn, generation: 2, family: "ipv4", after: null, host: "198.51.100.1" });
    const pending = send(path, method, body).then((response) => response.text());
    await scene.clock.advance(10_000);
    responses.push(await pending);
  }
  expect(responses.join("\n")).not.toContain(presharedKey);
  expect(responses.join("\n")).toContain("preshared key: (hidden)");
  const peering = dualStackOf(1, { listenPort: 20_009 });
  expect(await call(agentCalls.peerings, undefined)).toEqual([
    { asn, generation: 2, database, peering, hasPresharedKey: true },
  ]);
});

test("a key is added once for each name, a peering moves to it and back, and it is removed when none uses it", async () => {
  const add = async (id: string) => (await call(agentCalls.addNodeKey, { id })).publicKey;
  const remove = (publicKey: string) => call(agentCalls.removeNodeKey, { publicKey });
  const peering = dualStackOf(1);
  await apply(1, peering);
  const [added, other] = [await add("2026"), await add("other")];
  expect(await add("2026")).toBe(added);
  expect((await call(agentCalls.facts, undefined)).keys).toEqual([firstKey, added, other]);
  const session = async () => (await observe())[0]?.sessions[0];
  const stateAgeSeconds = (await session())?.stateAgeSeconds ?? Infinity;

  expect(codesOf(await apply(2, { ...peering, nodeKey: added }))).toBe(
    "files-written bird-loaded node-key-changed confirmed",
  );
  expect(await readWireguard()).toContain(`  public key: ${added}\n`);
  expect(await observe()).toMatchObject([{ tunnel: { state: "Up" }, bgpStatus: "OK" }]);
  expect((await session())?.stateAgeSeconds).toBeGreaterThan(stateAgeSeconds);
  expect(await call(agentCalls.peerings, undefined)).toMatchObject([{ peering: { nodeKey: added } }]);
  await expect(remove(added)).rejects.toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("AS4242420001") },
  });
  await expect(remove(firstKey)).rejects.toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("first") },
  });

  await apply(3, peering);
  expect(await readWireguard()).toContain(`  public key: ${firstKey}\n`);
  for (const gone of [added, added, "never added"]) expect(await remove(gone)).toEqual({});
  expect((await call(agentCalls.facts, undefined)).keys).toEqual([firstKey, other]);
});

test("a key that the node does not have is refused, as is a participant with one of the node's keys", async () => {
  const { publicKey: added } = await call(agentCalls.addNodeKey, { id: "2026" });
  await apply(1);
  const nodeKey = Buffer.alloc(32, 9).toString("base64");
  const refused = { outcome: "refused", steps: [] };
  expect(await apply(2, dualStackOf(1, { nodeKey }))).toEqual({
    ...refused,
    reason: { code: "node-key-missing", facts: { publicKey: nodeKey } },
  });
  for (const publicKey of [firstKey, added])
    expect(await apply(2, dualStackOf(1, { publicKey, nodeKey: added }))).toEqual({
      ...refused,
      reason: { code: "value-rejected", facts: { field: "public_key" } },
    });
  expect(await readWireguard()).toContain(`  public key: ${firstKey}\n`);
});

test("a node has at most 16 keys, and a name is short", async () => {
  const add = (id: string) => call(agentCalls.addNodeKey, { id });
  for (let key = 2; key <= 16; key += 1) await add(`key-${key}`);
  await expect(add("key-17")).rejects.toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("16") },
  });
  expect(await add("key-16")).toEqual(await add("key-16"));
  const { keys } = await call(agentCalls.facts, undefined);
  expect(new Set(keys).size).toBe(16);
  for (const id of ["", "a/b", "..", "a".repeat(41)])
    await expect(add(id)).rejects.toMatchObject({ status: 422, body: { field: "id" } });
});

test("an in-process caller can abort; the change continues", async () => {
  const abort = new AbortController();
  const body = { ...sender, asn, generation: 1, desired: peeringOf(1) };
  const given = call(agentCalls.apply, body, { signal: abort.signal });
  abort.abort(new Error("aborted by the caller"));
  await expect(given).rejects.toThrow("aborted by the caller");
  await scene.clock.advance(5000);
  expect(await generations()).toEqual([{ asn, generation: 1, present: true, database }]);
});
