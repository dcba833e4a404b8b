import { afterEach, beforeEach, expect, test } from "vitest";
import { agentCalls } from "../../contract/agent.ts";
import { type Caller, createCaller } from "../../contract/client.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryEventStore } from "../fixtures/memory-event-store.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { database, dualStackOf, peeringOf, rules, sender } from "../fixtures/peerings.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { createSimulatedAgent, type SimulatedAgent, createInProcessTransport } from "../simulated-agent.ts";
import { agentProtocol, protocolHeader, withProtocol } from "../../contract/agent/agent-protocol.ts";

const asn = "4242420001";
let clock: ManualClock;
let agent: SimulatedAgent;
let call: Caller;

beforeEach(async () => {
  clock = createManualClock();
  agent = await createSimulatedAgent({
    node: "syd01",
    nodes: ["syd01", "per01"],
    store: createMemoryStore(),
    eventStore: createMemoryEventStore(),
    rules,
    clock,
    log: silentLog,
    timeScale: 1,
  });
  call = createCaller(withProtocol(createInProcessTransport(agent.handle, 60_000)));
});
afterEach(() => agent[Symbol.asyncDispose]());

async function apply(generation: number, desired = dualStackOf(1)) {
  const outcome = call(agentCalls.apply, { ...sender, asn, generation, desired });
  outcome.catch(() => {});
  await clock.advance(5000);
  return outcome;
}

const filesWritten = { code: "files-written", facts: {} };
const tunnelCreated = {
  code: "tunnel-created",
  facts: { port: 20_001, endpoint: "198.51.100.1:51820" },
};
const sessionStep = (code: string, family: string) => ({
  code,
  facts: { families: [family], transport: family, hasExtendedNextHop: false },
});

const post = (path: string, body: string, protocol = String(agentProtocol)) =>
  agent.handle(
    new Request(`http://agent${path}`, { method: "POST", body, headers: { [protocolHeader]: protocol } }),
  );

test("returns the node's facts", async () => {
  expect(await call(agentCalls.facts, undefined)).toEqual({
    node: "syd01",
    publicKey: "Da/7lBhLUj27/sq/XJI2JBKdJf2YFhRan1S5XjpMGhA=",
    simulation: true,
    version: "unpackaged",
  });
});

test("applies, observes, inspects and deletes a peering", async () => {
  expect(await apply(1)).toEqual({
    outcome: "applied",
    steps: [
      filesWritten,
      tunnelCreated,
      { code: "bird-loaded", facts: {} },
      sessionStep("session-created", "IPv4"),
      sessionStep("session-created", "IPv6"),
      { code: "confirmed", facts: {} },
    ],
    reason: null,
  });
  expect(await call(agentCalls.generations, undefined)).toEqual([
    { asn, generation: 1, present: true, database },
  ]);
  expect(await call(agentCalls.observe, undefined)).toMatchObject([
    { asn, tunnel: { state: "Up" }, bgpStatus: "OK", findings: [] },
  ]);
  expect(await call(agentCalls.checkBgp, { asn })).toMatchObject({
    addressFamilies: null,
    extendedNextHop: null,
  });
  expect((await call(agentCalls.details, { asn })).wireguard).toContain("interface: dn42_4242420001\n");
  expect((await call(agentCalls.receivedRoutes, { asn })).output).toContain("Table master6:");
  expect(await call(agentCalls.refusedRoutes, { asn })).toEqual({
    routes: [],
    totals: { ipv4: 0, ipv6: 0 },
    limits: [],
  });
  expect((await call(agentCalls.advertisedRoutes, { asn })).output).toContain("Table master4:");
  expect(await call(agentCalls.restartBgp, { asn })).toMatchObject({ ok: true });
  const deleted = call(agentCalls.apply, { ...sender, asn, generation: 2, desired: null });
  await clock.advance(1000);
  expect((await deleted).steps.slice(-4)).toEqual([
    sessionStep("session-removed", "IPv4"),
    sessionStep("session-removed", "IPv6"),
    { code: "confirmed", facts: {} },
    { code: "tunnel-removed", facts: {} },
  ]);
  expect(await call(agentCalls.generations, undefined)).toEqual([
    { asn, generation: 2, present: false, database },
  ]);
  expect(await call(agentCalls.observe, undefined)).toEqual([]);
});

test("returns the steps of a change while it is in progress, also on a slow node", async () => {
  agent.setMode("slow");
  const steps = async (generation: number) => (await call(agentCalls.progress, { asn, generation })).steps;
  expect(await steps(1)).toEqual([]);
  const outcome = call(agentCalls.apply, { ...sender, asn, generation: 1, desired: peeringOf(1) });
  await clock.advance(6_250);
  expect(await steps(1)).toEqual([filesWritten]);
  await clock.advance(2_500);
  expect(await steps(1)).toEqual([filesWritten, tunnelCreated]);
  expect(await steps(2)).toEqual([]);
  await clock.advance(6_250);
  expect((await outcome).steps).toHaveLength(5);
  expect(await steps(1)).toEqual([]);
});

test("a ping of an address family without a tunnel address fails without output", async () => {
  await apply(1, peeringOf(1));
  expect(await call(agentCalls.ping, { asn, family: "ipv4" })).toEqual({
    result: "failed",
    output: "",
  });
  const ping = call(agentCalls.ping, { asn, family: "ipv6" });
  await clock.advance(3000);
  expect(await ping).toMatchObject({ result: "success" });
});

const measure = async (host: string) => (await call(agentCalls.roundTrip, { host })).latencyMs;

test("measures the round trip to a host without a peering, and null where no endpoint can be", async () => {
  const latency = await measure("198.51.100.7");
  expect(latency).toBeGreaterThan(0);
  expect(await measure("198.51.100.7")).toBe(latency);
  expect(await measure("router.example.net")).toBeGreaterThan(0);
  expect(await measure("nowhere.invalid")).toBeNull();
  expect(await measure("127.0.0.1")).toBeNull();
});

test("refuses an invalid desired state by its field before it reaches the router", async () => {
  expect(await apply(1, dualStackOf(1, { publicKey: "AAAA" }))).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "value-rejected", facts: { field: "public_key" } },
  });
  expect(await call(agentCalls.observe, undefined)).toEqual([]);
});

test("refuses a hostname that does not resolve, and sets up a tunnel to the address of one that does", async () => {
  expect(await apply(1, dualStackOf(1, { endpointHost: "nowhere.invalid" }))).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "endpoint-unresolved", facts: { host: "nowhere.invalid" } },
  });
  const { steps } = await apply(2, dualStackOf(1, { endpointHost: "router.example.net" }));
  const endpoint = expect.stringMatching(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+:51820$/);
  expect(steps[1]).toMatchObject({ code: "tunnel-created", facts: { endpoint } });
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

test("rejects invalid requests without changing anything", async () => {
  const broken = await post("/v1/apply", "{");
  expect([broken.status, await broken.json()]).toEqual([
    400,
    { message: "The body is not valid JSON. Nothing was changed." },
  ]);
  const shapeless = await post("/v1/apply", '{"asn":"4242420001","generation":"1","desired":null}');
  expect([shapeless.status, await shapeless.json()]).toMatchObject([422, { field: "generation" }]);
  const huge = await post("/v1/apply", " ".repeat(64 * 1024 + 1));
  expect([huge.status, await huge.json()]).toEqual([
    413,
    { message: "The body is larger than 65536 bytes. Nothing was changed." },
  ]);
  const unknown = await post("/v1/facts", "");
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { message: "The agent has no call POST /v1/facts." },
  ]);
});

test("an offline node does not respond, and is unchanged afterwards", async () => {
  await apply(1);
  agent.setMode("offline");
  await expect(call(agentCalls.generations, undefined)).rejects.toThrow(
    "connect EHOSTUNREACH syd01 (simulated)",
  );
  agent.setMode("normal");
  expect(await call(agentCalls.observe, undefined)).toMatchObject([{ asn, tunnel: { state: "Up" } }]);
});

test("a node that refuses a change gives the reason and keeps its configuration", async () => {
  await apply(1);
  agent.setMode("refuse");
  expect(await apply(2, dualStackOf(1, { endpointPort: 4242 }))).toEqual({
    outcome: "refused",
    steps: [filesWritten],
    reason: { code: "bird-refused", facts: {} },
  });
  expect((await call(agentCalls.details, { asn })).wireguard).toContain("endpoint: 198.51.100.1:51820\n");
});

test("a slow node reports it in its health", async () => {
  expect(await call(agentCalls.health, undefined)).toMatchObject({ status: "OK", findings: [] });
  agent.setMode("slow");
  await clock.advance(1000);
  expect(await call(agentCalls.health, undefined)).toMatchObject({
    status: "Issues",
    findings: [{ code: "heavy-load", facts: {} }],
  });
});

test("a peering without an endpoint comes up", async () => {
  const desired = dualStackOf(1, { endpointHost: null, endpointPort: null });
  expect(await apply(1, desired)).toMatchObject({ outcome: "applied" });
  expect(await call(agentCalls.observe, undefined)).toMatchObject([
    { tunnel: { state: "Up" }, bgpStatus: "OK" },
  ]);
  const { wireguard } = await call(agentCalls.details, { asn });
  expect(wireguard).not.toMatch(/endpoint|keepalive/);
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
    const headers = { [protocolHeader]: String(agentProtocol) };
    const request = new Request(
      `http://agent${path}`,
      method === "GET" ? { headers } : { method, body, headers },
    );
    const pending = agent.handle(request).then((response) => response.text());
    await clock.advance(10_000);
    responses.push(await pending);
  }
  expect(responses.join("\n")).not.toContain(presharedKey);
  expect(responses.join("\n")).toContain("preshared key: (hidden)");
  expect(await call(agentCalls.peerings, undefined)).toEqual([
    {
      asn,
      generation: 2,
      database,
      peering: dualStackOf(1, { listenPort: 20_009 }),
      hasPresharedKey: true,
    },
  ]);
});

test("metrics count applies and running peerings", async () => {
  await apply(1);
  await apply(1);
  const text = await agent.metrics();
  expect(text).toContain('peerdeck_agent_applies_total{node="syd01",outcome="applied"} 2\n');
  expect(text).toContain('peerdeck_agent_bgp_sessions_established{node="syd01"} 2\n');
  expect(text).toContain('peerdeck_agent_peerings{node="syd01",tunnel="up"} 1\n');
});

test("an in-process caller can abort; the change continues", async () => {
  const abort = new AbortController();
  const body = { ...sender, asn, generation: 1, desired: peeringOf(1) };
  const given = call(agentCalls.apply, body, { signal: abort.signal });
  abort.abort(new Error("aborted by the caller"));
  await expect(given).rejects.toThrow("aborted by the caller");
  await clock.advance(5000);
  expect(await call(agentCalls.generations, undefined)).toEqual([
    { asn, generation: 1, present: true, database },
  ]);
});
