/** What keeps a node from forwarding packets, while all its tunnels and sessions are up. Its minute is three seconds long here. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dualStackOf, peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { ObservedPeering } from "../../src/contract/agent.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import { publicFindings, readFindings } from "../../src/domain/findings/findings.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { eventually } from "./eventually.ts";
import { type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, nodeAddress } from "./lab-participant.ts";
import { connectionState, findDisruptions, waitUntilEstablished } from "./router-state.ts";

let internet: Internet;
let node: LabHost;
let agent: LabAgent;

const name = (n: number) => `dn42_424242000${n}`;

/** The participant of the first peering is joined. */
beforeAll(async () => {
  internet = await openInternet();
  node = await internet.host("syd01", `${nodeAddress}/24`);
  const participant = await internet.host("participant", "198.51.100.1/24");
  await startNodeBird(node, []);
  await runCommands(node, ["ip link add wg-per01 type bridge; ip link set wg-per01 up"]);
  agent = await startAgent(node, { interfaces: ["wg-per01"] });
  const keys = await makeKeys(participant);
  const first = peeringOf(1, { publicKey: keys.publicKey });
  for (const peering of [first, ...[2, 3, 4].map((n) => dualStackOf(n))]) {
    expect(await agent.apply(peering.asn, peering)).toMatchObject({ outcome: "applied" });
  }
  await joinNode(participant, { keys, peering: first, nodeKey: (await agent.facts()).publicKey });
  await waitUntilEstablished(node, name(1));
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});

/** The numbers of the peerings whose packets are not forwarded, for their participants. */
const notForwarded = async () =>
  (await agent.get<readonly ObservedPeering[]>("/v1/observe"))
    .filter(({ findings }) => findings.some(({ code }) => code === "node-not-forwarding"))
    .map(({ asn }) => Number(asn.at(-1)));

const codesOf = (findings: readonly CodedFacts[]) => findings.map(({ code }) => code).toSorted();

async function healthWith(codes: readonly string[]): Promise<readonly CodedFacts[]> {
  const { findings } = await eventually(agent.health, (health) => {
    const found = codesOf(health.findings);
    return codes.length === 0 ? found.length === 0 : codes.every((code) => found.includes(code));
  });
  return findings;
}

const strict = (rules: string) => `nft 'table inet strict { ${rules}; }'`;
const remove = "nft delete table inet strict";

test.each<
  [
    string,
    plant: readonly string[],
    fix: readonly string[],
    expected: readonly CodedFacts[],
    concerned: readonly number[],
  ]
>([
  [
    "of all participants",
    [
      "echo 0 > /proc/sys/net/ipv4/conf/wg-per01/forwarding; echo 1 > /proc/sys/net/ipv4/conf/wg-per01/rp_filter",
      strict("chain own { type filter hook forward priority 5; policy drop; }"),
    ],
    [
      "echo 1 > /proc/sys/net/ipv4/conf/wg-per01/forwarding; echo 0 > /proc/sys/net/ipv4/conf/wg-per01/rp_filter",
      remove,
    ],
    [
      { code: "forwarding-blocked", facts: { chains: ["inet:strict:own"] } },
      { code: "forwarding-off", facts: { settings: ["net.ipv4.conf.wg-per01.forwarding"], count: 1 } },
      { code: "path-filter", facts: { interfaces: ["wg-per01"], count: 1 } },
    ],
    [1, 2, 3, 4],
  ],
  [
    "of single participants",
    [
      strict(`chain own { type filter hook forward priority 5; iifname ${name(1)} counter drop; }`),
      "ip route delete 172.21.2.1",
      `ip rule add iif ${name(3)} to 172.21.4.1 prohibit`,
    ],
    [
      remove,
      `ip route add 172.21.2.1 dev ${name(2)} src 172.20.0.1`,
      `ip rule delete iif ${name(3)} to 172.21.4.1 prohibit`,
    ],
    [
      {
        code: "forwarding-refused",
        facts: { from: name(3), to: "172.21.4.1", output: "Permission denied" },
      },
      {
        code: "packets-dropped",
        facts: { hook: "forward", chain: "inet:strict:own", interfaces: [name(1)] },
      },
      { code: "route-missing", facts: { address: "172.21.2.1", interface: name(2), found: null } },
    ],
    [1, 2, 3],
  ],
])(
  "names what drops packets %s until it is gone, and disturbs no session",
  async (_, plant, fix, expected, concerned) => {
    await healthWith([]);
    expect(await notForwarded()).toEqual([]);
    const before = await connectionState(node, name(1));
    await runCommands(node, plant);
    const findings = await healthWith(codesOf(expected));
    expect(findings.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual(expected);
    expect(publicFindings(readFindings(findings))).toEqual([{ code: "node-not-forwarding", facts: {} }]);
    expect(await notForwarded()).toEqual(concerned);

    await runCommands(node, fix);
    await healthWith([]);
    expect(await notForwarded()).toEqual([]);
    expect(findDisruptions(before, await connectionState(node, name(1)))).toEqual([]);
  },
);
