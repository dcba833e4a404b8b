import { expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import type { Step } from "../../domain/findings/steps.ts";
import { dualStackOf, peeringOf, routed } from "../fixtures/peerings.ts";
import type { RoutedPeering } from "../drivers/router.ts";
import { stepsOf } from "./steps.ts";

function listSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly Step[] {
  return Object.values(stepsOf({ from, to })).flat();
}

const tunnelChanged = (value: string, before: string, after: string) => ({
  code: "tunnel-changed",
  facts: { value, before, after },
});
const ownSession = (family: string) => ({
  families: [family],
  transport: family,
  hasExtendedNextHop: false,
});

test("equal states have no steps", () => {
  expect(listSteps(null, null)).toEqual([]);
  expect(listSteps(routed(peeringOf(1)), routed(peeringOf(1)))).toEqual([]);
});

test("changing the address family changes sessions and tunnel addresses, and a removal removes them", () => {
  const both = { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true };
  expect(listSteps(routed(peeringOf(1)), routed(dualStackOf(1)))).toEqual([
    tunnelChanged("localIpv4", "none", "172.20.0.1"),
    tunnelChanged("peerIpv4", "none", "172.21.1.1"),
    { code: "session-removed", facts: both },
    { code: "session-created", facts: ownSession("IPv4") },
    { code: "session-created", facts: ownSession("IPv6") },
  ]);
  expect(listSteps(routed(dualStackOf(1)), null)).toEqual([
    { code: "session-removed", facts: ownSession("IPv4") },
    { code: "session-removed", facts: ownSession("IPv6") },
    { code: "tunnel-removed", facts: {} },
  ]);
});

const keyStep = (change: string) => ({ code: "preshared-key-changed", facts: { change } });

const address = "198.51.100.1:51820";
const key = peeringOf(1).publicKey;

test.each<[Partial<Peering>, value: string, before: string, after: string, endpoint?: string]>([
  [{ mtu: 1412 }, "mtu", "1420", "1412"],
  [{ publicKey: "B".repeat(43) }, "publicKey", key, "B".repeat(43)],
  [{ listenPort: 20_009 }, "listenPort", "20001", "20009"],
  [{ localIpv6: "fe80::9" }, "localIpv6", "fe80::2227", "fe80::9"],
  [{ peerIpv6: "fe80::8" }, "peerIpv6", "fe80::1", "fe80::8"],
  [{ endpointHost: null, endpointPort: null }, "endpoint", address, "none"],
  [{}, "endpoint", address, "[2001:db8::7]:51820", "2001:db8::7"],
])("a change to %j is one step, and so is its reversal", (changed, value, before, after, endpoint) => {
  const [from, to] = [routed(peeringOf(1)), routed(peeringOf(1, changed), endpoint)];
  expect(listSteps(from, to)).toEqual([tunnelChanged(value, before, after)]);
  expect(listSteps(to, from)).toEqual([tunnelChanged(value, after, before)]);
});

test("a tunnel of a participant whose router connects to the node has no endpoint", () => {
  const none = routed(peeringOf(1, { endpointHost: null, endpointPort: null }));
  expect(listSteps(null, none)[0]).toEqual({
    code: "tunnel-created",
    facts: { port: 20_001, endpoint: null },
  });
});

test("a tunnel that moves to another key of the node, and back to the first one", () => {
  const [first, moved] = [routed(peeringOf(1)), routed(peeringOf(1, { nodeKey: key }))];
  expect([...listSteps(first, moved), ...listSteps(moved, first)]).toEqual(
    [key, null].map((publicKey) => ({ code: "node-key-changed", facts: { publicKey } })),
  );
});

test("no step contains a pre-shared key", () => {
  const [none, one, other] = [undefined, "PSK=", "OTHER="].map((presharedKey) =>
    routed(peeringOf(1, { presharedKey })),
  ) as [RoutedPeering, RoutedPeering, RoutedPeering];
  expect(listSteps(none, one)).toEqual([keyStep("set")]);
  expect(listSteps(one, other)).toEqual([keyStep("replaced")]);
  expect(listSteps(other, none)).toEqual([keyStep("removed")]);
  expect(JSON.stringify(listSteps(null, one))).not.toContain("PSK=");
});
