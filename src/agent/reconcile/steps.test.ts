import { expect, test } from "vitest";
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

test("removing a peering removes its sessions and its tunnel", () => {
  expect(listSteps(routed(dualStackOf(1)), null)).toEqual([
    { code: "session-removed", facts: ownSession("IPv4") },
    { code: "session-removed", facts: ownSession("IPv6") },
    { code: "tunnel-removed", facts: {} },
  ]);
});

test("changing the address family changes sessions and tunnel addresses", () => {
  expect(listSteps(routed(peeringOf(1)), routed(dualStackOf(1)))).toEqual([
    tunnelChanged("localIpv4", "none", "172.20.0.1"),
    tunnelChanged("peerIpv4", "none", "172.21.1.1"),
    {
      code: "session-removed",
      facts: { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true },
    },
    { code: "session-created", facts: ownSession("IPv4") },
    { code: "session-created", facts: ownSession("IPv6") },
  ]);
});

test("changing the MTU changes nothing else", () => {
  const [plain, small] = [routed(peeringOf(1)), routed(peeringOf(1, { mtu: 1412 }))];
  expect(listSteps(plain, small)).toEqual([tunnelChanged("mtu", "1420", "1412")]);
  expect(listSteps(small, plain)).toEqual([tunnelChanged("mtu", "1412", "1420")]);
});

const keyStep = (change: string) => ({ code: "preshared-key-changed", facts: { change } });

test("a participant's router may connect to the node instead of having an endpoint", () => {
  const [fixed, none] = [
    routed(peeringOf(1)),
    routed(peeringOf(1, { endpointHost: null, endpointPort: null })),
  ];
  const address = "198.51.100.1:51820";
  expect(listSteps(null, none)[0]).toEqual({
    code: "tunnel-created",
    facts: { port: 20_001, endpoint: null },
  });
  expect(listSteps(fixed, none)).toEqual([tunnelChanged("endpoint", address, "none")]);
  expect(listSteps(none, fixed)).toEqual([tunnelChanged("endpoint", "none", address)]);
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

test("writes an IPv6 endpoint in brackets", () => {
  expect(listSteps(routed(peeringOf(1)), routed(peeringOf(1), "2001:db8::7"))).toEqual([
    tunnelChanged("endpoint", "198.51.100.1:51820", "[2001:db8::7]:51820"),
  ]);
});

test("each changed value of a tunnel is a step", () => {
  const changes = {
    publicKey: "B".repeat(43),
    listenPort: 20_009,
    localIpv6: "fe80::9",
    peerIpv6: "fe80::8",
  };
  const before = peeringOf(1);
  expect(listSteps(routed(before), routed(peeringOf(1, changes)))).toEqual([
    tunnelChanged("publicKey", before.publicKey, changes.publicKey),
    tunnelChanged("listenPort", "20001", "20009"),
    tunnelChanged("localIpv6", "fe80::2227", "fe80::9"),
    tunnelChanged("peerIpv6", "fe80::1", "fe80::8"),
  ]);
});
