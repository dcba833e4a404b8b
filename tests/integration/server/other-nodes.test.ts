/** What the server sends each node about the others, for its packet filter. */
import { expect, onTestFinished, test } from "vitest";
import { agentCalls, type AgentCalls } from "#contract/agent.ts";
import type { CallBody } from "#contract/call.ts";
import type { Transport } from "#contract/client.ts";
import type { Profile } from "#server/config/profile.ts";
import { removeNode } from "#server/features/peerings/removed-nodes/remove-node.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { openAsServer, type TestDatabase } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { deployPeering, logIn, signUp, submitPeering } from "./participant.ts";
import { demoProfile, profileServer } from "./profile-server.ts";

const asn = "4242420001";
const ownAddress = "172.20.222.11";

async function removeFrom(at: TestDatabase, node: string): Promise<void> {
  await using database = await openAsServer(at);
  const deps = { db: database.db, clock: Date.now, writeNotice: async () => undefined };
  await removeNode(deps, { node, reason: null, keep: true });
}

test("every node learns the addresses, services and tunnels of the others, and keeps those of a node that is gone", async () => {
  const at = { kind: "sqlite", dataDir: await createScratchFolder(onTestFinished) } as const;
  const sent: Array<{ readonly to: string } & CallBody<AgentCalls["setOtherNodes"]>> = [];
  const silent = new Set<string>();
  /** A hostile agent also claims addresses of participants. */
  const claimed = {
    addresses: [ownAddress, "fd42:4242:2227::b", "172.20.2.1", "fd42:4242:2::1"],
    services: [],
  };
  const through =
    (agent: Transport, to: string): Transport =>
    async (request) => {
      if (silent.has(to)) throw new Error("connection refused");
      if (request.path === agentCalls.setOtherNodes.path)
        sent.push({ to, ...(JSON.parse(request.body ?? "") as CallBody<AgentCalls["setOtherNodes"]>) });
      const response = await agent(request);
      if (request.path !== agentCalls.exposure.path || to !== "syd01") return response;
      return agentResponse({ ...(JSON.parse(await response.text()) as object), own: claimed });
    };
  const start = async (profile: Partial<Profile> = {}) =>
    profileServer({}, { at, through, reconcileEveryMs: 50, profile });
  const lastSent = (to: string, of: string) =>
    sent.flatMap((each) => (each.to === to ? each.changed : [])).findLast(({ node }) => node === of);

  const first = await start();
  await deployPeering(await signUp(first.url, asn), "syd01", {
    address_family: "IPv4",
    bgp_extnh: "No",
    peer_ipv4: "172.20.1.1",
    peer_ipv6: "",
  });
  const expected = {
    addresses: [ownAddress, "fd42:4242:2227::b"],
    services: [],
    tunnels: [{ asn, addresses: ["172.20.1.1"] }],
  };
  for (const to of ["per01", "de01"]) await expect.poll(() => lastSent(to, "syd01")).toMatchObject(expected);
  expect(sent.filter(({ to, changed }) => changed.some(({ node }) => node === to))).toEqual([]);
  const count = sent.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sent.length).toBe(count);
  await first[Symbol.asyncDispose]();

  // The agents keep what they have, so a server that cannot reach a node sends nothing about it.
  silent.add("syd01");
  sent.length = 0;
  const second = await start();
  // One whose only address in the tunnel is link-local.
  await deployPeering(await logIn(second.url, asn), "per01", {});
  await expect.poll(() => lastSent("de01", "per01")).toMatchObject({ tunnels: [{ asn, addresses: [] }] });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(
    sent.filter(
      ({ nodes, changed }) => !nodes.includes("syd01") || changed.some(({ node }) => node === "syd01"),
    ),
  ).toEqual([]);
  await second[Symbol.asyncDispose]();

  sent.length = 0;
  await removeFrom(at, "syd01");
  const nodes = demoProfile.nodes.filter(({ name }) => name !== "syd01");
  const third = await start({ strictSource: true });
  onTestFinished(() => third[Symbol.asyncDispose]());
  await expect.poll(() => sent.find(({ to }) => to === "per01")?.nodes).not.toContain("syd01");
  const strict = () => new Set(sent.flatMap(({ to, strictSource }) => (strictSource ? [to] : [])));
  await expect.poll(strict).toEqual(new Set(nodes.map(({ name }) => name)));
  expect(sent.every(({ strictSource }) => strictSource)).toBe(true);
});

test("the nodes learn of every public host that is an endpoint, and nothing more of a removed node", async () => {
  const at = { kind: "sqlite", dataDir: await createScratchFolder(onTestFinished) } as const;
  const sent: Array<{ readonly to: string } & CallBody<AgentCalls["setOtherNodes"]>> = [];
  const refused: number[] = [];
  const through =
    (agent: Transport, to: string): Transport =>
    async (request) => {
      const response = await agent(request);
      if (request.path !== agentCalls.setOtherNodes.path) return response;
      sent.push({ to, ...(JSON.parse(request.body ?? "") as CallBody<AgentCalls["setOtherNodes"]>) });
      if (response.status !== 200) refused.push(response.status);
      return response;
    };
  const urls = { publicUrl: "http://peering.example.dn42", otherPublicUrls: ["https://peering.example.net"] };
  const server = await profileServer({}, { at, through, reconcileEveryMs: 50, profile: urls });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const names = demoProfile.nodes.map(({ name }) => name);
  const receivers = (others: number) =>
    sent.flatMap(({ to, nodes }) => (nodes.length === others ? [to] : []));
  await expect.poll(() => receivers(names.length - 1)).toEqual(expect.arrayContaining(names));
  expect(refused).toEqual([]);
  expect(sent[0]?.provider.endpoints).toContain("peering.example.net");
  const participant = await signUp(server.url, asn);
  await expect(
    submitPeering(participant, "de01", { remote_ip: "peering.example.net" }),
  ).rejects.toMatchObject({ status: 422, body: { field: "remote_ip" } });

  await removeFrom(at, "syd01");
  const rest = names.filter((name) => name !== "syd01");
  await expect.poll(() => receivers(rest.length - 1)).toEqual(expect.arrayContaining(rest));
  sent.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sent).toEqual([]);
});
