/**
 * Sessions that are Established and do not work as they should, as the agent judges them. Its clock runs twenty times as fast
 * (`scaled-clock.ts`), so its ten minutes are thirty seconds.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { ObservedPeering } from "../../src/contract/agent.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress, type ParticipantSetup } from "./lab-participant.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";

let internet: Internet;
let node: LabHost;
let agent: LabAgent;

const asnOf = (number: number) => `424242000${number}`;
const manyRoutes = (net: string) =>
  Array.from({ length: 1002 }, (_, index) => `${net}.${index >> 8}.${index & 255}/32`);

/** Loses large packets on their way through a participant's uplink, as a path with a smaller MTU does. */
const loseLargePackets = (host: LabHost, hook: "input" | "output") =>
  host.run(
    "nft",
    `table inet path { chain c { type filter hook ${hook} priority 0; udp length > 1400 drop; }; }`,
  );

/** The participants; they differ in what is wrong with them. */
const participants: ReadonlyArray<Partial<ParticipantSetup> & { readonly loses?: "input" | "output" }> = [
  { routes: ["172.20.1.0/26", "fd42:4242:1::/48"] },
  { loses: "input" },
  // The short hold time ends the sessions soon enough to be seen ending three times.
  { loses: "input", sessionOptions: "hold time 3; error wait time 1, 1;" },
  { loses: "output", routes: manyRoutes("172.22"), sessionOptions: "hold time 3; error wait time 1, 1;" },
  { families: ["IPv6"] },
];

beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(node, ["172.20.1.0/26 max 29 as 4242420001", "fd42:4242:1::/48 max 64 as 4242420001"]);
  const config = path.join(node.folder, "bird.conf");
  const routes = manyRoutes("172.21").map((route) => `route ${route} reject;`);
  await writeFile(
    config,
    `${await readFile(config, "utf8")}\nprotocol static many { ipv4; ${routes.join("")} }\n`,
  );
  await node.run("birdc", "-s", path.join(node.folder, "bird.ctl"), "configure");
  agent = await startAgent(node);
  const { publicKey: nodeKey } = await agent.facts();
  await Promise.all(
    participants.map(async ({ loses, ...setup }, index) => {
      const number = index + 1;
      const host = await internet.host(`participant${number}`, `198.51.100.${number}/24`);
      const keys = await makeKeys(host);
      const peering = peeringOf(number, { publicKey: keys.publicKey });
      expect(await agent.apply(asnOf(number), peering)).toMatchObject({ outcome: "applied" });
      if (loses) await loseLargePackets(host, loses);
      await joinNode(host, { keys, peering, nodeKey, ...setup });
    }),
  );
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

/** Waits until the peering is judged so, and returns the judgement. */
async function waitFor(number: number, accept: (observed: ObservedPeering) => boolean) {
  const observed = await eventually(
    async () =>
      (await agent.get<readonly ObservedPeering[]>("/v1/observe")).find(({ asn }) => asn === asnOf(number)),
    (found) => found !== undefined && accept(found),
  );
  if (!observed) throw new Error("not observed");
  return { ...observed, codes: observed.findings.map(({ code }) => code) };
}
const hasFinding = (code: string) => (observed: ObservedPeering) =>
  observed.findings.some((finding) => finding.code === code);

test("a participant that receives no large packets is stuck, and what it was sent is unknown", async () => {
  const { bgpStatus, sessions } = await waitFor(2, hasFinding("session-stuck"));
  expect([bgpStatus, sessions.map(({ state }) => state)]).toEqual(["Issues", ["Established"]]);
  expect(sessions[0]?.routes?.map(({ family, exported }) => [family, exported])).toEqual([
    ["IPv4", null],
    ["IPv6", null],
  ]);
});

const deafSides = [
  ["participant", 3],
  ["node", 4],
] as const;
test.each(oneOfCommit(deafSides))(
  "a session that ends because the %s receives no large packets flaps",
  async (_, number) => {
    const { bgpStatus, findings } = await waitFor(number, hasFinding("session-flapping"));
    expect(bgpStatus).not.toBe("OK");
    const flapping = findings.find(({ code }) => code === "session-flapping");
    expect(flapping?.facts).toMatchObject({
      families: ["IPv4", "IPv6"],
      times: expect.any(Number) as number,
    });
  },
);

test("a neighbour that negotiates one of two address families has issues", async () => {
  const { codes, bgpStatus } = await waitFor(5, hasFinding("family-not-announced"));
  expect([bgpStatus, codes]).toEqual([
    "Issues",
    ["family-not-announced", "extended-next-hop-missing", "no-routes"],
  ]);
});

test("nothing is found about the session that works, and the node says what it was sent", async () => {
  const { bgpStatus, codes, sessions } = await waitFor(1, ({ bgpStatus: status }) => status === "OK");
  expect([bgpStatus, codes]).toEqual(["OK", []]);
  expect(sessions[0]?.routes?.map(({ exported }) => exported)).toEqual([1003, 1]);
});
