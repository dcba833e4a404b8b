import { expect, test } from "vitest";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { isAsn } from "../../src/domain/asn.ts";
import { isHostName } from "../../src/domain/host-name.ts";
import { parseIpv4 } from "../../src/domain/ipv4.ts";
import { parseIpv6Text } from "../../src/domain/ipv6.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import { parsePort } from "../../src/domain/port.ts";
import { parseKey } from "../../src/domain/peering/wireguard-key.ts";
import * as hostile from "../support/fixtures/hostile-input.ts";
import { peeringContext, validUpdate } from "../support/fixtures/peering-context.ts";

test.each([...hostile.malformedIpv4, ...hostile.hostileText])("%j is not an IPv4 address", (text) => {
  expect(parseIpv4(text)).toBeNull();
});

test.each([...hostile.malformedIpv6, ...hostile.hostileText])("%j is not an IPv6 address", (text) => {
  expect(parseIpv6Text(text)).toBeNull();
});

test.each([...hostile.malformedHosts, ...hostile.malformedIpv4, ...hostile.hostileText])(
  "%j is not a host name",
  (text) => {
    expect(isHostName(text)).toBe(false);
  },
);

test.each([...hostile.malformedPorts, ...hostile.hostileText])("%j is not a port", (text) => {
  expect(parsePort(text)).toBeNull();
});

test.each([...hostile.malformedKeys, ...hostile.hostileText])("%j is not a key", (text) => {
  expect(parseKey(text)).toBeNull();
});

test.each([...hostile.malformedAsns, ...hostile.hostileText])("%j is not an AS number", (text) => {
  expect(isAsn(text)).toBe(false);
});

const cases = Object.entries(hostile.refusedByField).flatMap(([field, values]) =>
  values.map((value) => [field, value] as const),
);

test.each(cases)("%s rejects %j", (field, value) => {
  const update: PeerUpdate = { ...validUpdate, [field]: value };
  expect(checkPeerUpdate(update, peeringContext)).toMatchObject({
    ok: false,
    errors: [{ field }],
  });
});

test("the update without hostile values is accepted", () => {
  expect(checkPeerUpdate(validUpdate, peeringContext)).toMatchObject({ ok: true });
});
