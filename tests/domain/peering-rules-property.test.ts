/** The renderers rely on it: a text from a participant contains only the alphabet of its field. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Peering } from "../../src/contract/agent.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { checkPeering } from "../../src/domain/peering/check-peering.ts";
import { completePeering } from "../../src/domain/peering/complete-peering.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import type { ValidationError } from "../../src/domain/peering/peering-rules.ts";
import { arbitraryUpdate } from "../support/fixtures/arbitrary-update.ts";
import { nodeKey } from "../support/fixtures/hostile-input.ts";
import { peeringContext, validUpdate } from "../support/fixtures/peering-context.ts";

const runs = 20_000;

const alphabets = {
  asn: /^[1-9][0-9]{0,9}$/,
  endpointHost: /^[a-z0-9.-]{1,253}$/,
  publicKey: /^[A-Za-z0-9+/]{43}=$/,
  peerIpv4: /^[0-9.]{7,15}$/,
  localIpv4: /^[0-9.]{7,15}$/,
  peerIpv6: /^[0-9a-f:]{2,39}$/,
  localIpv6: /^[0-9a-f:]{2,39}$/,
} as const;

/** The problems of an accepted peering, a sentence each. There must be none. */
function problemsOf(peering: Peering): string[] {
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

/** The agent has to accept every peering that the server completes. */
function refusedByAgent(peering: Peering): string[] {
  const error = checkPeering(peering, { ...peeringContext, nodeKey });
  return error ? [`${error.field}: ${error.message}`] : [];
}

const nothingTaken = {
  ports: new Set<number>(),
  peerAddresses: new Set<string>(),
  publicKeys: new Set<string>(),
};
const fields = Object.keys(validUpdate);

function unknownFields(errors: readonly ValidationError[]): readonly string[] {
  if (errors.length === 0) return ["rejected without an error"];
  return errors.flatMap(({ field }) => (fields.includes(field) ? [] : [field]));
}

test("an update is rejected by one of its fields, or every rendered text is of its own alphabet", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(arbitraryUpdate, (update) => {
      const checked = checkPeerUpdate(update, peeringContext);
      const outcome = checked.ok
        ? completePeering(checked.request, peeringContext.node, nothingTaken, null)
        : checked;
      seen[outcome.ok ? "accepted" : "refused"] += 1;
      const problems = outcome.ok
        ? [...problemsOf(outcome.peering), ...refusedByAgent(outcome.peering)]
        : unknownFields(outcome.errors);
      expect(problems).toEqual([]);
    }),
    { numRuns: runs },
  );
  // Both outcomes occur.
  expect(seen.accepted).toBeGreaterThan(runs / 10);
  expect(seen.refused).toBeGreaterThan(runs / 10);
});
