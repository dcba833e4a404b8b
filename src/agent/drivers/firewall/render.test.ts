import { expect, test } from "vitest";
import type { OtherNode } from "#contract/call-tables/other-node-calls.ts";
import { renderedPeerings } from "../../fixtures/peerings.ts";
import { firewallElements, type FirewallPeer, firewallPeerOf, renderChange } from "./elements.ts";
import { type FirewallPolicy, renderFirewall } from "./render.ts";

const policy: FirewallPolicy = {
  interfaces: ["wg-per01", "eth1"],
  // The last one is a part of the first.
  ownPrefixes: ["172.20.0.0/24", "fd42:2227::/32", "203.0.113.1/32", "172.20.0.1/32"],
  agent: { host: "203.0.113.1", port: 4243 },
  servers: ["192.0.2.10/32", "2001:db8::/64"],
  allowInput: [
    { protocol: "udp", port: 53, address: "172.20.0.53" },
    { protocol: "tcp", port: 53, address: "fd42:2227::53" },
    { protocol: "tcp", port: 80 },
  ],
  acceptReplies: true,
};
const fewest: FirewallPolicy = {
  interfaces: [],
  ownPrefixes: [],
  agent: { host: "::", port: 4243 },
  servers: [],
  allowInput: [],
  acceptReplies: false,
};
const peers = Object.values(renderedPeerings).map(firewallPeerOf);
const leftover = { name: "dn42_4242420009", peerAddresses: [], localAddresses: [] };

const otherNodes: readonly OtherNode[] = [
  {
    node: "per01",
    version: "1",
    addresses: ["172.20.0.2", "fd42:2227::2"],
    services: [
      { protocol: "tcp", port: 443 },
      { protocol: "udp", port: 53, address: "172.20.0.53" },
    ],
    tunnels: [
      { asn: "4242420002", addresses: ["172.21.2.9"] },
      { asn: "4242420008", addresses: ["172.21.8.1", "fd42:4242:8::1"] },
    ],
  },
];

const sources = new Map([
  ["dn42_4242420001", []],
  ["dn42_4242420002", ["172.21.2.0/26", "172.21.3.1", "fd42:4242:2::/48"]],
]);

test.each([
  ["peerings-and-options", policy, [...peers, leftover], otherNodes, sources],
  ["no-peerings-no-options", fewest, [], [], new Map()],
] as const)("%s", async (name, given, of, others, limited) => {
  await expect(
    renderFirewall(given, firewallElements(of, others, limited, given.servers)),
  ).toMatchFileSnapshot(`golden/${name}.nft`);
});

test("a change adds and deletes only elements of the changed peerings", () => {
  const [first, second, third] = peers.slice(0, 3) as [FirewallPeer, FirewallPeer, FirewallPeer];
  const from = firewallElements([first, second]);
  expect(renderChange(from, firewallElements([second, third, second]))).toBe(
    `delete element inet peerdeck participants { "dn42_4242420001" }
add element inet peerdeck participants { "dn42_4242420003" }
add element inet peerdeck peers4 { 172.21.3.1 }
add element inet peerdeck neighbours4 { "dn42_4242420003" . 172.21.3.1 }
delete element inet peerdeck neighbours6 { "dn42_4242420001" . fe80::1 }
`,
  );
  expect(renderChange(from, firewallElements([second, first]))).toBe("");
});

test.each([
  ["0.0.0.0", "meta nfproto ipv4 tcp dport 4243 goto input_to_agent"],
  ["::", "tcp dport 4243 goto input_to_agent"],
  ["2001:db8::1", "ip6 daddr 2001:db8::1 tcp dport 4243 goto input_to_agent"],
])("an agent that listens on %s is reached only by servers", (host, rule) => {
  const text = renderFirewall(
    { ...policy, agent: { host, port: 4243 } },
    firewallElements([], [], new Map(), policy.servers),
  );
  expect(text).toContain(`        iifname != "lo" ${rule}\n`);
});
