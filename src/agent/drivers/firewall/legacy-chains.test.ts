import { expect, test } from "vitest";
import { droppingChainsOf } from "./dropping-chains.ts";
import { parseLegacyChains } from "./legacy-chains.ts";

// What iptables-legacy 1.8.9 printed.
const policies = "-P INPUT ACCEPT\n-P FORWARD DROP\n-P OUTPUT ACCEPT\n";
const legacy = (text: string) =>
  droppingChainsOf(parseLegacyChains("iptables-legacy", text)).map(({ name, namesParticipants }) => [
    name,
    namesParticipants,
  ]);
const namesPorts = (text: string) =>
  droppingChainsOf(parseLegacyChains("iptables-legacy", text)).map(
    ({ namesTunnelPorts }) => namesTunnelPorts,
  );

test("finds chains of iptables-legacy that drop, and whether they name participants' interfaces", () => {
  const accept = "-A FORWARD -i dn42_+ -o dn42_+ -j ACCEPT\n";
  expect(legacy("-P INPUT ACCEPT\n-P FORWARD ACCEPT\n-P OUTPUT DROP\n")).toEqual([]);
  expect(legacy(policies)).toEqual([["iptables-legacy FORWARD", false]]);
  expect(legacy(policies + accept)).toEqual([["iptables-legacy FORWARD", true]]);
  expect(legacy(`${policies}-A FORWARD -j MINE\n-A MINE -i dn42_+ -j ACCEPT\n`)).toEqual([
    ["iptables-legacy FORWARD", true],
  ]);
  expect(legacy(`${policies}-A FORWARD -i dn42_+ -j DROP\n`)).toEqual([["iptables-legacy FORWARD", false]]);
  const rejecting = "-A INPUT -i lo -j ACCEPT\n-A INPUT -j REJECT --reject-with icmp-port-unreachable\n";
  expect(legacy(policies + accept + rejecting)).toEqual([
    ["iptables-legacy INPUT", false],
    ["iptables-legacy FORWARD", true],
  ]);
});

test("finds whether a chain of iptables-legacy for incoming packets names UDP ports", () => {
  const dropping =
    "-P INPUT DROP\n-P FORWARD ACCEPT\n-A INPUT -i dn42_+ -p tcp -m tcp --dport 179 -j ACCEPT\n";
  expect(namesPorts(dropping)).toEqual([false]);
  expect(namesPorts(`${dropping}-A INPUT -p udp -m udp --dport 20000:32767 -j ACCEPT\n`)).toEqual([true]);
});
