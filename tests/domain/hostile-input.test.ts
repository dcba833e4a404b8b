import { expect, test } from "vitest";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { isAsn } from "../../src/domain/asn.ts";
import { isHostName } from "../../src/domain/host-name.ts";
import { parseIpv4 } from "../../src/domain/ipv4.ts";
import { parseIpv6Text } from "../../src/domain/ipv6.ts";
import { checkPeerUpdate } from "../../src/domain/peering-rules.ts";
import { parsePort } from "../../src/domain/port.ts";
import { parseKey } from "../../src/domain/wireguard-key.ts";
import * as hostile from "../fixtures/hostile-input.ts";
import { peeringContext, validUpdate } from "../fixtures/peering-context.ts";

test.each([...hostile.malformedIpv4, ...hostile.hostileText])("%j is no IPv4 address", (text) => {
  expect(parseIpv4(text)).toBeNull();
});

test.each([...hostile.malformedIpv6, ...hostile.hostileText])("%j is no IPv6 address", (text) => {
  expect(parseIpv6Text(text)).toBeNull();
});

test.each([...hostile.malformedHosts, ...hostile.malformedIpv4, ...hostile.hostileText])(
  "%j is no host name",
  (text) => {
    expect(isHostName(text)).toBe(false);
  },
);

test.each([...hostile.malformedPorts, ...hostile.hostileText])("%j is no port", (text) => {
  expect(parsePort(text)).toBeNull();
});

test.each([...hostile.malformedKeys, ...hostile.hostileText])("%j is no key", (text) => {
  expect(parseKey(text)).toBeNull();
});

test.each([...hostile.malformedAsns, ...hostile.hostileText])("%j is no AS number", (text) => {
  expect(isAsn(text)).toBe(false);
});

const cases = Object.entries(hostile.refusedByField).flatMap(([field, values]) =>
  values.map((value) => [field, value] as const),
);

test.each(cases)("%s refuses %j", (field, value) => {
  const update: PeerUpdate = { ...validUpdate, [field]: value };
  expect(checkPeerUpdate(update, peeringContext)).toMatchObject({ ok: false, refusal: { field } });
});

test("the update that they are planted into is accepted", () => {
  expect(checkPeerUpdate(validUpdate, peeringContext)).toMatchObject({ ok: true });
});
