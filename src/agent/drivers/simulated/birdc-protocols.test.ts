import { expect, test } from "vitest";
import { dualStackOf, routed } from "../../fixtures/peerings.ts";
import { birdcProtocols } from "./birdc-protocols.ts";
import { sessionsAt } from "./simulated-sessions.ts";

const noon = Date.UTC(2026, 10, 20, 12);

function routeOf(prefix: string) {
  return { prefix, path: [], refusal: null };
}

test("prints the sessions of a peering whose IPv6 session is down", () => {
  const peer = {
    node: "syd01",
    routed: routed(dualStackOf(1)),
    tunnelSince: noon,
    bgpSince: noon,
    timeScale: 0,
  };
  const routes = {
    received: () => [routeOf("172.21.1.0/27")],
    advertised: () => Array.from(Array(25).keys(), (index) => routeOf(`172.22.${index}.0/24`)),
  };
  const [v4, v6] = sessionsAt(peer, routes, noon);
  const down = { state: "Active", detail: "Socket: Connection refused", neighbour: null, routes: [] };
  const sessions = v4 && v6 ? [v4, { ...v6, ...down, since: noon - 86_400_000 }] : [];
  const context = {
    peering: dualStackOf(1),
    providerAsn: "4242422227",
    now: noon + 10_500,
  };
  expect(birdcProtocols(sessions, context)).toBe(`\
BIRD 2.0.12 ready.
Name       Proto      Table      State  Since         Info
dn42_4242420001_v4 BGP        ---        up     12:00:00.000  Established
  BGP state:          Established
    Neighbor address: 172.21.1.1
    Neighbor AS:      4242420001
    Local AS:         4242422227
    Neighbor ID:      172.21.1.1
    Local capabilities
      Multiprotocol
        AF announced: ipv4
      Route refresh
      Graceful restart
      4-octet AS numbers
      Enhanced refresh
      Long-lived graceful restart
    Neighbor capabilities
      Multiprotocol
        AF announced: ipv4
      Route refresh
      Graceful restart
      4-octet AS numbers
      Enhanced refresh
      Long-lived graceful restart
    Session:          external AS4
    Source address:   172.20.0.1
    Hold timer:       229.500/240
    Keepalive timer:  69.500/80
  Channel ipv4
    State:          UP
    Table:          master4
    Preference:     100
    Input filter:   peerdeck_import
    Output filter:  peerdeck_export
    Receive limit:  6000
      Action:       block
    Import limit:   4000
      Action:       block
    Routes:         1 imported, 0 filtered, 25 exported, 1 preferred
    Route change stats:     received   rejected   filtered    ignored   accepted
      Import updates:              1          0          0          0          1
      Import withdraws:            0          0        ---          0          0
      Export updates:             26          1          0        ---         25
      Export withdraws:            0        ---        ---        ---          0
    BGP Next hop:   172.20.0.1

dn42_4242420001_v6 BGP        ---        start  2026-11-19    Active        Socket: Connection refused
  BGP state:          Active
    Neighbor address: fe80::1%dn42_4242420001
    Neighbor AS:      4242420001
    Local AS:         4242422227
    Last error:       Socket: Connection refused
  Channel ipv6
    State:          DOWN
    Table:          master6
    Preference:     100
    Input filter:   peerdeck_import
    Output filter:  peerdeck_export
    Receive limit:  6000
      Action:       block
    Import limit:   4000
      Action:       block
`);
});
