/** Whatever a participant sends, a rendered file contains only one peer and that participant's sessions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import { renderWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { completePeering } from "../../src/domain/peering/complete-peering.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import { arbitraryUpdate } from "../support/fixtures/arbitrary-update.ts";
import { validKey } from "../support/fixtures/hostile-input.ts";
import { peeringContext, validUpdate } from "../support/fixtures/peering-context.ts";

const runs = 100_000;
const nothingTaken = {
  ports: new Set<number>(),
  peerAddresses: new Set<string>(),
  publicKeys: new Set<string>(),
};

const wireguardLine =
  /^(\[(Interface|Peer)\]|(PrivateKey|PublicKey) = [A-Za-z0-9+/]{43}=|ListenPort = [0-9]+|Endpoint = [0-9.]+:[0-9]+|AllowedIPs = [0-9a-f.:/, ]+|PersistentKeepalive = 25|)$/;
const birdStatement =
  /^(#.*|protocol bgp dn42_[0-9]+(_v[46])? from peerdeck_peer \{|( {4}| {8})[a-z]([a-z0-9_ ]|[0-9a-f:., %]|'dn42_[0-9]+'|"dn42_[0-9]+")*[;{]|}| {4}};|)$/;

/** Lines that must not be in a file, and lines that are missing. */
function problemsOf(peering: Peering): string[] {
  const routed = { peering, endpointAddress: "203.0.113.9" };
  const wireguard = renderWireguard(routed, validKey).split("\n");
  const bird = renderBirdPeering(routed, { providerAsn: "4242422227" }).split("\n");
  const protocols = bird.flatMap((line) => /^protocol bgp (\S+)/.exec(line)?.[1] ?? []);
  const expected = sessionsOf(peering).map(({ name }) => name);
  return [
    ...(count(wireguard, "[Peer]") === 1 ? [] : ["not one peer"]),
    ...(count(wireguard, "[Interface]") === 1 ? [] : ["not one interface"]),
    ...wireguard.filter((line) => !wireguardLine.test(line)),
    ...(protocols.join() === expected.join() ? [] : [`protocols ${protocols.join()}`]),
    ...bird.filter((line) => !birdStatement.test(line)),
    ...bird.filter((line) =>
      line.replaceAll(interfaceName(peering.asn), "").match(/dn42_|include|static|kernel|pipe/),
    ),
  ];
}

function count(lines: readonly string[], expected: string): number {
  return lines.filter((line) => line === expected).length;
}

test("an update is rejected, or rendered to one peer and its own sessions", () => {
  let accepted = 0;
  fc.assert(
    fc.property(arbitraryUpdate, (update) => {
      const checked = checkPeerUpdate(update, peeringContext);
      if (!checked.ok) return;
      const completed = completePeering(checked.request, peeringContext.node, nothingTaken, null);
      if (!completed.ok) return;
      accepted += 1;
      expect(problemsOf(completed.peering)).toEqual([]);
    }),
    { numRuns: runs },
  );
  expect(accepted).toBeGreaterThan(runs / 10);
}, 120_000);

test.each([
  ["peerIpv6", "fe80::1' as 1; } protocol static { "],
  ["localIpv6", "fe80::1;\n} protocol static x {"],
  ["publicKey", `${validKey}\n[Peer]`],
] as const)("the test detects a %s that bypasses the rules", (field, text) => {
  const checked = checkPeerUpdate({ ...validUpdate, bgp_extnh: "Yes", peer_ipv4: "" }, peeringContext);
  if (!checked.ok) throw new Error(checked.error.message);
  const completed = completePeering(checked.request, peeringContext.node, nothingTaken, null);
  if (!completed.ok) throw new Error(completed.error.message);
  expect(problemsOf({ ...completed.peering, [field]: text })).not.toEqual([]);
});
