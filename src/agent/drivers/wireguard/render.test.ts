import { expect, test } from "vitest";
import { peeringOf, renderedPeerings, routed } from "../../fixtures/peerings.ts";
import type { RoutedPeering } from "../routed-peering.ts";
import { parseDump } from "./parse-dump.ts";
import { renderConfig, renderWireguard } from "./render.ts";

const privateKey = Buffer.alloc(32, 7).toString("base64");

const options: Readonly<Record<string, RoutedPeering>> = {
  "no-endpoint": routed(peeringOf(6, { endpointHost: null, endpointPort: null })),
  "preshared-key": routed(peeringOf(5, { presharedKey: Buffer.alloc(32, 3).toString("base64") })),
};

test.each(Object.entries({ ...renderedPeerings, ...options }))("%s", async (name, peering) => {
  await expect(renderWireguard(peering, privateKey)).toMatchFileSnapshot(`golden/${name}.conf`);
});

test.each([
  [
    "with peers",
    [
      "wg0\tPRIV=\tPUB=\t20001\toff",
      "wg0\tPEER=\t(none)\t[2001:db8::1]:51820\t172.20.0.0/14,fe80::/10\t1763680000\t1200\t3400\t25",
      "wg0\tPEER2=\tPSK=\t(none)\t10.0.0.0/8\t0\t0\t148\toff",
    ],
    `[Interface]
PrivateKey = PRIV=
ListenPort = 20001

[Peer]
PublicKey = PEER=
PresharedKey = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
Endpoint = [2001:db8::1]:51820
AllowedIPs = 172.20.0.0/14, fe80::/10
PersistentKeepalive = 25

[Peer]
PublicKey = PEER2=
PresharedKey = PSK=
AllowedIPs = 10.0.0.0/8
PersistentKeepalive = off
`,
  ],
  ["never configured", ["wg0\t(none)\t(none)\t37643\toff"], "[Interface]\nListenPort = 37643\n"],
])("the state of an interface %s can be restored", (_, dump, config) => {
  const state = parseDump(dump.join("\n")).get("wg0");
  expect(state && renderConfig(state)).toBe(config);
});
