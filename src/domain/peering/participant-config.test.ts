import fc from "fast-check";
import { expect, test } from "vitest";
import type { NodeConfig, PeerConfig } from "../../contract/entities.ts";
import { addressFamilies } from "../../contract/entities.ts";
import { storedPeering } from "./fixtures/stored-peering.ts";
import { toPeerConfig } from "./peer-config.ts";
import { providerEndpoint, renderBird, renderWireguard } from "./participant-config.ts";

const peer = toPeerConfig(storedPeering, "4242422227");
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

test("wg-quick gets a link-local tunnel, and BIRD one MP-BGP session with extended next hop", async () => {
  const sides = { node: "syd01", peer, provider };
  const files = `${renderWireguard(sides)}\n${renderBird(sides)}`;
  await expect(files).toMatchFileSnapshot("golden/participant-files.txt");
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
  ["no port if it connects to the node", sidesWith({ remote: "", no_endpoint: "Yes" }), "\nListenPort"],
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

/** The lines of a file that have a placeholder. */
const placeholders = (file: string) => Array.from(file.matchAll(/^.*<.*$/gm), ([line]) => line.trim());

test("a missing value is a placeholder that neither program accepts", () => {
  const missing = {
    local_asn: "",
    local_port: "",
    remote: "",
    peer_publickey: "",
    peer_asn: "",
    peer_ipv6: "",
  };
  const sides = sidesWith(missing, { local_ipv4: "", local_ipv6: "", public_key: "" });
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

test("an IPv6 endpoint of the node is in brackets, and one without its host or port is missing", () => {
  expect(providerEndpoint({ ...provider, public_ip: "2001:db8::1" }, peer)).toBe("[2001:db8::1]:20001");
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
