import { expect, test } from "vitest";
import { dualStackOf, routed } from "../../fixtures/peerings.ts";
import { birdcProtocols } from "./birdc-protocols.ts";
import { sessionsAt } from "./simulated-sessions.ts";

const noon = Date.UTC(2026, 10, 20, 12);

function routeOf(prefix: string) {
  return { prefix, path: [], refusal: null };
}

test("prints the sessions of a peering whose IPv6 session is down", async () => {
  const since = { tunnelSince: noon, bgpSince: noon, timeScale: 0 };
  const peer = { node: "syd01", routed: routed(dualStackOf(1)), ...since };
  const routes = {
    received: () => [routeOf("172.21.1.0/27")],
    advertised: () => Array.from(Array(25).keys(), (index) => routeOf(`172.22.${index}.0/24`)),
  };
  const [v4, v6] = sessionsAt(peer, routes, noon);
  const down = { state: "Active", detail: "Socket: Connection refused", neighbour: null, routes: [] };
  const sessions = v4 && v6 ? [v4, { ...v6, ...down, since: noon - 86_400_000 }] : [];
  const context = { peering: dualStackOf(1), providerAsn: "4242422227", now: noon + 10_500 };
  await expect(birdcProtocols(sessions, context)).toMatchFileSnapshot("golden/sessions.txt");
});
