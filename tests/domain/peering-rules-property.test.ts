/** What the renderers rely on: no text that a participant sends can leave its field's alphabet. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Peering } from "../../src/contract/agent.ts";
import { addressFamilies, type PeerUpdate } from "../../src/contract/entities.ts";
import { interfaceName, sessionsOf } from "../../src/domain/bgp-sessions.ts";
import { checkPeerUpdate, completePeering } from "../../src/domain/peering-rules.ts";
import { hostileText, refusedByField, validKey } from "../fixtures/hostile-input.ts";
import { peeringContext, validUpdate } from "../fixtures/peering-context.ts";

const runs = 20_000;

/** Accepted values of each field, other than those of `validUpdate`. */
const accepted = {
  remote_ip: ["9.9.9.9", "a.example.com", "XN--E1AFMKFD.XN--80AKHBYKNJ4F"],
  remote_port: ["1", "65535", "51820"],
  public_key: [validKey, "/////////////////////////////////////////3g="],
  peer_ipv4: ["172.20.1.1", "10.127.0.1", "172.31.255.254"],
  peer_ipv6: ["", "fe80::1", "FE80:0:0:0::ABCD", "fd12:3456::0.0.0.7"],
  local_ipv6: ["", "fe80::7:1", "FD12:3456::8"],
} as const;

/** Mostly good values, so that every field is reached; else bad ones, and good ones with something slipped in. */
function textFor(field: keyof typeof accepted): fc.Arbitrary<string> {
  const good = fc.constantFrom<string>(...accepted[field]);
  const slippedIn = fc
    .tuple(good, fc.oneof(fc.constantFrom<string>(...hostileText), fc.string({ unit: "binary" })), fc.nat())
    .map(([text, extra, at]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + extra + text.slice(place);
    });
  return fc.oneof(
    { arbitrary: good, weight: 24 },
    { arbitrary: fc.constantFrom<string>(...refusedByField[field]), weight: 1 },
    { arbitrary: slippedIn, weight: 1 },
    { arbitrary: fc.string({ unit: "binary" }), weight: 1 },
  );
}

const updates: fc.Arbitrary<PeerUpdate> = fc.record({
  node: fc.constant("syd01"),
  address_family: fc.constantFrom(...addressFamilies),
  bgp_extnh: fc.constantFrom("Yes", "No"),
  remote_ip: textFor("remote_ip"),
  remote_port: textFor("remote_port"),
  peer_ipv4: textFor("peer_ipv4"),
  peer_ipv6: textFor("peer_ipv6"),
  local_ipv6: textFor("local_ipv6"),
  public_key: textFor("public_key"),
});

const alphabets = {
  asn: /^[1-9][0-9]{0,9}$/,
  endpointHost: /^[a-z0-9.-]{1,253}$/,
  publicKey: /^[A-Za-z0-9+/]{43}=$/,
  peerIpv4: /^[0-9.]{7,15}$/,
  localIpv4: /^[0-9.]{7,15}$/,
  peerIpv6: /^[0-9a-f:]{2,39}$/,
  localIpv6: /^[0-9a-f:]{2,39}$/,
} as const;

/** What is wrong with an accepted peering, as sentences; none of them may ever be true. */
function faultsOf(peering: Peering): string[] {
  const texts = Object.entries(alphabets).flatMap(([name, alphabet]) => {
    const text = peering[name as keyof typeof alphabets];
    return text === null || alphabet.test(text) ? [] : [`${name} is ${JSON.stringify(text)}`];
  });
  const ports = [peering.endpointPort, peering.listenPort].filter(
    (port) => !Number.isInteger(port) || port < 1 || port > 65_535,
  );
  const names = [interfaceName(peering.asn), ...sessionsOf(peering).map(({ name }) => name)].filter(
    (name) => !/^dn42_[0-9]{1,10}(_v[46])?$/.test(name),
  );
  const sameAddress = peering.peerIpv6 !== null && peering.peerIpv6 === peering.localIpv6;
  return [
    ...texts,
    ...ports.map((port) => `${port} is no port`),
    ...names.map((name) => `${JSON.stringify(name)} is no name`),
    ...(sameAddress ? ["both sides have one address"] : []),
  ];
}

const nothingTaken = {
  ports: new Set<number>(),
  peerAddresses: new Set<string>(),
  publicKeys: new Set<string>(),
};
const fields = Object.keys(validUpdate);

test("an update is refused by a field of its own, or every text that is rendered is of its own alphabet", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(updates, (update) => {
      const checked = checkPeerUpdate(update, peeringContext);
      const outcome = checked.ok
        ? completePeering(checked.request, peeringContext.node, nothingTaken, null)
        : checked;
      seen[outcome.ok ? "accepted" : "refused"] += 1;
      const faults = outcome.ok
        ? faultsOf(outcome.peering)
        : [outcome.refusal.field].filter((field) => !fields.includes(field));
      expect(faults).toEqual([]);
    }),
    { numRuns: runs },
  );
  // Neither side of the property is empty.
  expect(seen.accepted).toBeGreaterThan(runs / 10);
  expect(seen.refused).toBeGreaterThan(runs / 10);
});
