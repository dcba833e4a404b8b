/** `GET /api/nodes.json`: what it says, and that pages of other sites read this call alone. */
import * as v from "valibot";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { Call } from "#contract/call.ts";
import { defaultMtu } from "#domain/peering/option-rules.ts";
import { readPublicNodes } from "#server/features/nodes/public-nodes.ts";
import { fixedNodes } from "#server/nodes/nodes.ts";
import { toProviderNode } from "#server/nodes/provider-node.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demoServer, type DemoServer } from "../server/demo-server.ts";
import {
  deployPeering,
  type Participant,
  peerUpdate,
  setNodeState,
  signUp,
  submitError,
} from "../server/participant.ts";
import { demoProfile } from "../server/profile-server.ts";

const site = {
  origin: "https://peerfinder.example",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "cors",
};

let server: DemoServer;
let participant: Participant;

beforeAll(async () => {
  server = await demoServer({ observeEveryMs: 50 });
  participant = await signUp(server.url, "4242420001");
});
afterAll(() => server[Symbol.asyncDispose]());

async function readNodes(headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}/api/nodes.json`, { headers });
  return { response, ...v.parse(calls.nodes.response, await response.json()) };
}

async function readNode(name: string) {
  return (await readNodes()).nodes.find((node) => node.name === name);
}

test("a page of another site reads the nodes, with and without cookies the same", async () => {
  const { response, provider, nodes } = await readNodes(site);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(provider).toMatchObject({ name: "Peerdeck Demo", asn: "4242422227" });
  expect(nodes.map(({ name }) => name)).toEqual(["syd01", "per01", "sin01", "de01", "ny01", "za01"]);
  const loggedIn = await readNodes({ ...site, cookie: participant.cookie });
  expect({ provider: loggedIn.provider, nodes: loggedIn.nodes }).toEqual({ provider, nodes });
  for (const { headers } of [response, loggedIn.response]) {
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("etag")).toBe(response.headers.get("etag"));
  }
  const known = await fetch(`${server.url}/api/nodes.json`, {
    headers: { ...site, "if-none-match": response.headers.get("etag") ?? "" },
  });
  expect([known.status, known.headers.get("access-control-allow-origin")]).toEqual([304, "*"]);
});

test("a node has what a tunnel with it needs", async () => {
  await waitFor(async () => expect((await readNode("syd01"))?.peerings).toBe(0));
  expect(await readNode("syd01")).toEqual({
    name: "syd01",
    host: "syd01.demo.dn42",
    place: "Sydney, Australia",
    lat: -33.87,
    lon: 151.21,
    state: "open",
    families: ["IPv4", "IPv6"],
    capacity: null,
    peerings: 0,
    endpoints: ["192.0.2.11"],
    public_key: expect.stringMatching(/^[\w+/]{43}=$/),
    tunnel_ipv4: "172.20.222.11",
    link_local: expect.stringMatching(/^fe80::/),
    mtu: defaultMtu,
  });
});

test.each(Object.entries(calls))("%s has CORS headers only if its row says so", async (_, call: Call) => {
  for (const method of ["OPTIONS", call.method]) {
    const { headers } = await fetch(`${server.url}${call.path}`, {
      method,
      headers: { ...site, cookie: participant.cookie, "access-control-request-method": call.method },
    });
    const names = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
    const isOpen = call.path === "/api/nodes.json" && method === "GET";
    expect([method, ...names]).toEqual(isOpen ? [method, "access-control-allow-origin"] : [method]);
  }
});

test("the state follows the operator, and the limit", async () => {
  await deployPeering(participant, "ny01");
  const at = await openAsServer(server.at);
  await at.db.updateTable("nodes").set({ max_peerings: 1 }).where("name", "=", "ny01").execute();
  await at.db.updateTable("nodes").set({ state: "review" }).where("name", "=", "za01").execute();
  await at[Symbol.asyncDispose]();
  await setNodeState(server.url, "de01", "closed");
  await setNodeState(server.url, "sin01", "draining");
  await waitFor(async () =>
    expect(Object.fromEntries((await readNodes()).nodes.map(({ name, state }) => [name, state]))).toEqual({
      syd01: "open",
      per01: "open",
      sin01: "draining",
      de01: "closed",
      ny01: "full",
      za01: "closed",
    }),
  );
  expect(await readNode("ny01")).toMatchObject({ capacity: 1, peerings: 1 });
  const { status, body } = await submitError(participant, peerUpdate({ node: "sin01" }));
  expect(status).toBe(422);
  expect(body).toMatchObject({
    field: "node",
    message:
      "sin01.demo.dn42 will be taken out of service and is closed to new peerings. Choose another node.",
  });
});

describeWithDatabase("the nodes for everyone", { postgres: "share" }, (openTestDatabase) => {
  test("have no number of peerings that the profile does not publish, and no key before the agent was reached", async () => {
    const { db, ...database } = await openAsServer(await openTestDatabase());
    onTestFinished(() => database[Symbol.asyncDispose]());
    const [any] = demoProfile.nodes.map(toProviderNode);
    if (!any) throw new Error("the demo has no node");
    const summary = { half_hours: "[]", uptime: 1, last_at: 1, last_state: "OK", state_since: null } as const;
    await db
      .insertInto("node_summaries")
      .values({ node: any.name, peerings: 2, ...summary })
      .execute();
    const limited = { ...any, lat: null, lon: null, tunnelIpv4: null, maxPeerings: 2 };
    const profile = { ...demoProfile, publish: { peerings: false, linkLatency: false } };
    const { nodes } = await readPublicNodes({ db, profile, nodes: fixedNodes([limited]) });
    expect(nodes).toMatchObject([
      { lat: null, state: "full", families: ["IPv6"], capacity: 2, peerings: null, public_key: null },
    ]);
  });
});
