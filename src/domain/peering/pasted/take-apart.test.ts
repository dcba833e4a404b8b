import { expect, test } from "vitest";
import { renderWireguard } from "../participant-config.ts";
import { type PasteContext, maxPastedLength, takeApart } from "./take-apart.ts";

const [ownPrivate, presharedKey] = [
  "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=",
  "EB0oYbBh9kT0CcIr1Zk7R1lX2kqf6cEoQ3lqCw7cSxA=",
];
const ownKey = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";
const nodeKey = "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=";
const otherKey = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const wide = "172.20.0.0/14, 172.31.0.0/16, 10.0.0.0/8, fd00::/8, fe80::/10";

const context: PasteContext = {
  nodes: { domain: "example.net", hosts: ["syd01.example.net", "203.0.113.9"], keys: [nodeKey] },
  toAscii: (name) => ({ "münchen.example": "xn--mnchen-3ya.example" })[name] ?? null,
};

/** What the form gets, and the words that say what it does not get. */
function read(text: string) {
  const pasted = takeApart(text, context);
  if (pasted === null) return null;
  const { routers, hasNode, hasPrivateKey, hasPresharedKey } = pasted;
  const flags = { "our node": hasNode, "private key": hasPrivateKey, "pre-shared key": hasPresharedKey };
  return {
    routers: routers.map(({ source, values, refused, privateKey }) =>
      Object.fromEntries([
        [source, values],
        ...(refused.length > 0 ? [["refused", refused.map(({ field }) => field)]] : []),
        ...(privateKey === "" ? [] : [["computesKey", true]]),
      ]),
    ),
    dropped: Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : [])),
  };
}

const own = { remote_port: "51821", peer_ipv4: "172.20.1.1", peer_ipv6: "fe80::1" };
const peer = {
  remote_ip: "p.example.org",
  remote_port: "22227",
  public_key: ownKey,
  peer_ipv4: "172.20.1.1",
  peer_ipv6: "fe80::1",
};
const allDropped = ["our node", "private key", "pre-shared key"];

const contents: ReadonlyArray<readonly [string, string, unknown]> = [
  [
    "wg-quick of the participant",
    `# my tunnel\r\n[Interface]\r\nPrivateKey = ${ownPrivate} # secret\r\nListenPort=51821\r\nMTU = 1412\r\nAddress = fe80::1/64\r
PostUp = ip addr add 172.20.1.1/32 peer 172.20.16.1/32 dev %i\r\n[Peer]\r\nPublicKey = ${nodeKey}\r\nPresharedKey = ${presharedKey}\r
Endpoint = syd01.example.net:20001\r\nAllowedIPs = ${wide}\r\n`,
    { routers: [{ own: { ...own, mtu: "1412" }, computesKey: true }], dropped: allDropped },
  ],
  [
    "wg showconf of the other side",
    `[Interface]\nListenPort = 20001\n\n[Peer]\nPublicKey = ${ownKey}\nPresharedKey = ${presharedKey}
AllowedIPs = fd42:4242:1::1/128, fe80::1/128, 172.20.1.1/32, fe80::/10\nEndpoint = p.example.org.:22227\n`,
    { routers: [{ peer }], dropped: ["pre-shared key"] },
  ],
  [
    "systemd-networkd of the participant",
    `[NetDev]\nName=dn42_syd01\nKind=wireguard\nMTUBytes=1420\n[WireGuard]\nPrivateKey=${ownPrivate}\nListenPort=51821
[WireGuardPeer]\nPublicKey=${otherKey}\nPresharedKey=${presharedKey}\nEndpoint=203.0.113.9:20001\n
[Match]\nName=dn42_syd01\n[Network]\nDHCP=no\nAddress=fe80::1/64\n[Address]\nAddress=172.20.1.1/32\nPeer=172.20.16.1/32\n`,
    { routers: [{ own, computesKey: true }], dropped: allDropped },
  ],
  [
    "systemd-networkd of the other side",
    `[NetDev]\nName=wg1\n[WireGuard]\nPrivateKey=<your private key>\nListenPort=20001\n[WireGuardPeer]
PublicKey=${ownKey}\nEndpoint=p.example.org:22227\nAllowedIPs=fe80::1/128\nAllowedIPs=172.20.1.1/32\n`,
    { routers: [{ peer }], dropped: [] },
  ],
  [
    "RouterOS of the participant",
    `[admin@r1] > /interface wireguard add name=dn42 listen-port=51821 mtu=1420 private-key="${ownPrivate}"
/interface/wireguard/peers/add interface=dn42 public-key="${nodeKey}" \\\n    endpoint-address=syd01.example.net endpoint-po\\\n    rt=20001 preshared-key="${presharedKey}"
/ip address\nadd address=192.0.2.1/24 interface=ether1\nadd address=172.20.1.1/32 interface=dn42 network=172.20.16.1
/ipv6 address add address=fe80::1/64 interface=dn42 advertise=no\n`,
    { routers: [{ own, computesKey: true }], dropped: allDropped },
  ],
  [
    "RouterOS of the other side",
    `/interface wireguard\nadd listen-port=20001 name=wg1\n/interface wireguard peers
add allowed-address=fe80::1/128,172.20.1.1/32 comment="a \\"b\\"" endpoint-address=p.example.org endpoint-port=22227 interface=wg1 public-key="${ownKey}"\n`,
    { routers: [{ peer }], dropped: [] },
  ],
  [
    "OpenWrt of the participant",
    `config interface 'lan'\n\toption proto 'static'\n\toption mtu '1500'\n
config interface 'dn42'\n\toption proto 'wireguard'\n\toption private_key '${ownPrivate}'\n\toption listen_port '51821'
\tlist addresses 'fe80::1/64'\n\tlist addresses '172.20.1.1/32'\n
config wireguard_dn42\n\toption public_key '${nodeKey}'\n\toption preshared_key '${presharedKey}'
\toption endpoint_host 'syd01.example.net'\n\toption endpoint_port '20001'\n\tlist allowed_ips 'fe80::/64'\n`,
    { routers: [{ own, computesKey: true }], dropped: allDropped },
  ],
  [
    "uci set of the other side",
    `uci set network.wg1=interface\nuci set network.wg1.listen_port='20001'\nuci add network wireguard_wg1
uci set network.@wireguard_wg1[-1].public_key='${ownKey}'\nuci set network.@wireguard_wg1[-1].endpoint_host='p.example.org'
uci set network.@wireguard_wg1[-1].endpoint_port='22227'\nuci add_list network.@wireguard_wg1[-1].allowed_ips='172.20.1.1/32'
uci add_list network.@wireguard_wg1[-1].allowed_ips='fe80::1/128'\nuci commit network\n`,
    { routers: [{ peer }], dropped: [] },
  ],
  [
    "host and port",
    " p.example.org.:22227\n",
    { routers: [{ fragment: { remote_ip: "p.example.org", remote_port: "22227" } }], dropped: [] },
  ],
  [
    "IPv6 endpoint",
    "[2001:db8::1]:51820",
    { routers: [{ fragment: { remote_port: "51820" }, refused: ["remote_ip"] }], dropped: [] },
  ],
  [
    "labelled values",
    `Endpoint: p.example.org:22227\nPublicKey = ${ownKey}\n`,
    {
      routers: [{ peer: { remote_ip: "p.example.org", remote_port: "22227", public_key: ownKey } }],
      dropped: [],
    },
  ],
  [
    "addresses with a prefix length, brackets and a zone",
    "172.20.1.1/26, [fe80::1%wg0]",
    { routers: [{ fragment: { peer_ipv4: "172.20.1.1", peer_ipv6: "fe80::1" } }], dropped: [] },
  ],
  [
    "an internationalised name",
    "München.example:22227",
    { routers: [{ fragment: { remote_ip: "xn--mnchen-3ya.example", remote_port: "22227" } }], dropped: [] },
  ],
  [
    "wg show of the participant",
    `interface: wg0\n  public key: ${ownKey}\n  private key: (hidden)\n  listening port: 51821\n
peer: ${nodeKey}\n  preshared key: (hidden)\n  endpoint: 203.0.113.9:20001\n  allowed ips: fe80::/64\n`,
    { routers: [{ own: { public_key: ownKey, remote_port: "51821" } }], dropped: ["our node"] },
  ],
  [
    "RouterOS's print of the participant",
    `[admin@r1] > /interface/wireguard/print\nFlags: X - disabled; R - running\n 0  R name="dn42" mtu=1420 listen-port=51821
      private-key="${ownPrivate}"\n      public-key="${ownKey}"\n`,
    { routers: [{ own: { public_key: ownKey, remote_port: "51821" } }], dropped: ["private key"] },
  ],
  ["our node alone", "syd01.example.net:20001", { routers: [], dropped: ["our node"] }],
  [
    "a lone private key with its label",
    `PrivateKey = ${ownPrivate}`,
    { routers: [{ own: {}, computesKey: true }], dropped: ["private key"] },
  ],
];

test.each(contents)("%s", (_, text, expected) => {
  expect(read(text)).toEqual(expected);
  const { privateKey: _key, ...rest } = takeApart(text, context)?.routers[0] ?? { privateKey: "" };
  expect(JSON.stringify(rest)).not.toContain(ownPrivate);
  expect(JSON.stringify(rest)).not.toContain(presharedKey);
});

test("our own text, pasted back, gives the participant's side alone", () => {
  const config = {
    local_port: "20001",
    peer_ipv4: "172.20.1.1",
    peer_ipv6: "fe80::1",
    remote: "p.example.org:51821",
  };
  const text = renderWireguard({
    node: "syd01",
    peer: {
      ...config,
      peer_publickey: ownKey,
      no_endpoint: "",
      mtu: "",
      preshared_key: "",
      local_asn: "1",
    } as never,
    provider: {
      public_ip: "syd01.example.net",
      public_key: nodeKey,
      local_ipv4: "172.20.16.1",
      local_ipv6: "fe80::2",
    },
  });
  expect(read(text)).toEqual({ routers: [{ own }], dropped: ["our node"] });
});

test("of several peers and interfaces, the participant chooses", () => {
  const peers = [ownKey, otherKey].map(
    (key, index) => `[Peer]\nPublicKey = ${key}\nEndpoint = r${index}.example.org:1\n`,
  );
  expect(read(peers.join("\n"))?.routers).toEqual([
    { peer: { remote_ip: "r0.example.org", remote_port: "1", public_key: ownKey } },
    { peer: { remote_ip: "r1.example.org", remote_port: "1", public_key: otherKey } },
  ]);
  const tunnels = ["10", "11"].map(
    (port) => `[Interface]\nPrivateKey = ${ownPrivate}\nListenPort = ${port}\n`,
  );
  expect(read(tunnels.join(""))?.routers).toHaveLength(2);
  // The peering is the interface that has our node as its peer.
  expect(read(`${tunnels.join("")}[Peer]\nPublicKey = ${nodeKey}\n`)?.routers).toEqual([
    { own: { remote_port: "11" }, computesKey: true },
  ]);
});

test.each([
  "",
  "router",
  "Hello, please peer with me",
  "router.example.org\n51820",
  ownPrivate,
  `PresharedKey = ${presharedKey}`,
  "2001:db8::1",
  "аpple.com",
  "ｐ.example.org",
  "ex。ample.com",
  "münchen.examplе:1x",
  "172.20.1.0/26",
  "[Interface]\n[Peer]\n",
  "__proto__ = 1\nconstructor: 2",
  "[__proto__]\nPublicKey = x\n",
  "config wireguard___proto__\noption __proto__ 'x'",
  "network.__proto__=interface\nnetwork.__proto__.__proto__='x'",
  `[Peer]\nPublicKey = ${ownKey}\n${" ".repeat(maxPastedLength)}`,
])("leaves %j to the field", (text) => {
  expect(takeApart(text, context)).toBeNull();
});

test("a label of mixed scripts is no hostname, and its port is used", () => {
  expect(read("аpple.com:51820")).toEqual({
    routers: [{ fragment: { remote_port: "51820" }, refused: ["remote_ip"] }],
    dropped: [],
  });
});
