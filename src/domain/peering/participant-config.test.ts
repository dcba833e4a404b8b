import fc from "fast-check";
import { expect, test } from "vitest";
import type { NodeConfig, PeerConfig } from "../../contract/entities.ts";
import { addressFamilies } from "../../contract/entities.ts";
import { providerEndpoint, renderBird, renderWireguard } from "./participant-config.ts";

const peer: PeerConfig = {
  local_port: "20001",
  local_asn: "4242422227",
  remote: "router.example.org:51820",
  peer_ipv4: "",
  peer_ipv6: "fe80::1",
  peer_publickey: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
  peer_asn: "4242420001",
  bgp_ipv4: "Yes",
  bgp_ipv6: "Yes",
  bgp_mpbgp: "Yes",
  bgp_extnh: "Yes",
  address_family: "Both",
  local_ipv6: "",
  generation: 1,
  mtu: "",
  preshared_key: "",
  no_endpoint: "",
};
const provider: NodeConfig = {
  public_ip: "syd01.example.net",
  local_ipv4: "",
  local_ipv6: "fe80::2227",
  public_key: "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=",
};
const twoSessions = {
  node: "syd01",
  peer: { ...peer, bgp_extnh: "No", bgp_mpbgp: "No", peer_ipv4: "172.20.1.1" },
  provider: { ...provider, local_ipv4: "172.20.2.1" },
} as const;

test("wg-quick gets a link-local tunnel", () => {
  expect(renderWireguard({ node: "syd01", peer, provider })).toBe(`# /etc/wireguard/dn42_2227_syd01.conf
[Interface]
# The private key that belongs to xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
PrivateKey = <paste your private key here>
ListenPort = 51820
Address = fe80::1/64
# BIRD installs the routes; return traffic may be asymmetric.
Table = off
PostUp = sysctl -qw net.ipv4.conf.%i.rp_filter=0

[Peer]
PublicKey = tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=
Endpoint = syd01.example.net:20001
AllowedIPs = 172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8, fd00::/8, fe80::/10
PersistentKeepalive = 25
`);
});

/** Two sessions whose sides have these changes. */
const sidesWith = (change: Partial<PeerConfig>, node: Partial<NodeConfig> = {}, presharedKey?: string) => ({
  node: "syd01",
  peer: { ...twoSessions.peer, ...change },
  provider: { ...twoSessions.provider, ...node },
  ...(presharedKey !== undefined && { presharedKey }),
});
const routed = { peer_ipv6: "fd00:1::1" };

test.each([
  [
    "no port of a router that connects to the node",
    sidesWith({ remote: "", no_endpoint: "Yes" }),
    "\nListenPort",
  ],
  ["no pre-shared key that the peering does not have", sidesWith({}, {}, "AQID"), "PresharedKey"],
  ["no address where both are routed", sidesWith(routed, { local_ipv6: "fd00:2::1" }), "Address ="],
])("wg-quick gets %s", (_, sides, missing) => {
  expect(renderWireguard(sides)).not.toContain(missing);
  expect(renderWireguard(sides)).toContain("PersistentKeepalive = 25\n");
});

test.each([
  ["the MTU", sidesWith({ mtu: "1412" }), "ListenPort = 51820\nMTU = 1412\n"],
  ["a pre-shared key, hidden", sidesWith({ preshared_key: "set" }), "PresharedKey = <the pre-shared key>\n"],
  ["a pre-shared key, shown", sidesWith({ preshared_key: "set" }, {}, "AQID"), "\nPresharedKey = AQID\n"],
])("wg-quick gets %s", (_, sides, line) => {
  expect(renderWireguard(sides)).toContain(line);
});

test("a key that is not known yet becomes a sentence", () => {
  expect(renderWireguard({ node: "syd01", peer, provider: { ...provider, public_key: "" } })).toContain(
    "PublicKey = <the node's key is not known yet: check again later>\n",
  );
});

test("BIRD gets one MP-BGP session with extended next hop", () => {
  expect(renderBird({ node: "syd01", peer, provider })).toBe(`# Add ROA validation to both import filters.
protocol bgp dn42_2227_syd01 {
    local as 4242420001;
    source address fe80::1;
    neighbor fe80::2227 % 'dn42_2227_syd01' as 4242422227;
    ipv4 {
        extended next hop on;
        import where net ~ [ 172.20.0.0/14+, 172.31.0.0/16+, 10.0.0.0/8+ ];
        export where source ~ [ RTS_STATIC, RTS_BGP ] && net ~ [ 172.20.0.0/14+, 172.31.0.0/16+, 10.0.0.0/8+ ];
    };
    ipv6 {
        import where net ~ [ fd00::/8+ ];
        export where source ~ [ RTS_STATIC, RTS_BGP ] && net ~ [ fd00::/8+ ];
    };
}
`);
});

test("BIRD gets one session for each address family without extended next hop", () => {
  const bird = renderBird(twoSessions);
  expect(bird.match(/^protocol bgp \w+|^ {4}(neighbor|interface) .*$|^ {4}ipv[46]/gm)).toEqual([
    "protocol bgp dn42_2227_syd01_v4",
    "    neighbor 172.20.2.1 as 4242422227;",
    '    interface "dn42_2227_syd01";',
    "    ipv4",
    "protocol bgp dn42_2227_syd01_v6",
    "    neighbor fe80::2227 % 'dn42_2227_syd01' as 4242422227;",
    "    ipv6",
  ]);
  expect(bird).not.toContain("extended next hop");
});

test("an IPv6 endpoint of the node is in brackets", () => {
  expect(providerEndpoint({ ...provider, public_ip: "2001:db8::1" }, peer)).toBe("[2001:db8::1]:20001");
});

/** The lines of a file that have a placeholder. */
const placeholders = (file: string) => Array.from(file.matchAll(/^.*<.*$/gm), ([line]) => line.trim());

test("a missing value is a placeholder that neither program accepts", () => {
  const sides = {
    node: "syd01",
    peer: {
      ...twoSessions.peer,
      local_asn: "",
      local_port: "",
      remote: "",
      peer_publickey: "",
      peer_asn: "",
      peer_ipv6: "",
    },
    provider: { public_ip: "syd01.example.net", local_ipv4: "", local_ipv6: "", public_key: "" },
  };
  expect(placeholders(renderWireguard(sides))).toEqual([
    "# The private key that belongs to <your public key>",
    "PrivateKey = <paste your private key here>",
    "ListenPort = <your port>",
    "PostUp = ip address add 172.20.1.1/32 peer <the node's tunnel IPv4> dev %i",
    "PublicKey = <the node's key is not known yet: check again later>",
    "Endpoint = <the node's address and port>",
  ]);
  expect(placeholders(renderBird(sides))).toEqual([
    "local as <your AS number>;",
    "neighbor <the node's tunnel IPv4> as <the provider's AS number>;",
    "local as <your AS number>;",
    "source address <your tunnel IPv6>;",
    "neighbor <the node's tunnel IPv6> as <the provider's AS number>;",
  ]);
});

test("an endpoint without its host or port is missing", () => {
  expect(providerEndpoint({ ...provider, public_ip: "" }, peer)).toBe("");
  expect(providerEndpoint(provider, { ...peer, local_port: "" })).toBe("");
});

test("names are symbols of BIRD, and braces are balanced, for every node name", () => {
  const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
  const families = fc.constantFrom(...addressFamilies);
  fc.assert(
    fc.property(names, families, fc.constantFrom("Yes", "No"), (node, address_family, bgp_extnh) => {
      const bird = renderBird({ node, peer: { ...peer, address_family, bgp_extnh }, provider });
      expect(bird.split("{")).toHaveLength(bird.split("}").length);
      for (const [, name] of bird.matchAll(/^protocol bgp (.*) \{$/gm)) expect(name).toMatch(/^\w+$/);
    }),
  );
});
