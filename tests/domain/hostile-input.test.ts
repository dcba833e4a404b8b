import { expect, test } from "vitest";
import type { Peering } from "../../src/contract/agent.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { isAsn } from "../../src/domain/asn.ts";
import { canonicalizeHost } from "../../src/domain/host-name.ts";
import { parseIpv4 } from "../../src/domain/ipv4.ts";
import { parseIpv6Text } from "../../src/domain/ipv6.ts";
import { checkPeering } from "../../src/domain/peering/check-peering.ts";
import { checkPeerUpdate } from "../../src/domain/peering/check-peer-update.ts";
import { parseKey } from "../../src/domain/peering/wireguard-key.ts";
import { parsePort } from "../../src/domain/port.ts";
import * as hostile from "../support/fixtures/hostile-input.ts";
import { peeringContext, validPeering, validUpdate } from "../support/fixtures/peering-context.ts";

const { hostileText, refusedByField } = hostile;

test.each<[string, (text: string) => unknown, readonly string[]]>([
  ["IPv4 address", parseIpv4, hostile.malformedIpv4],
  ["IPv6 address", parseIpv6Text, hostile.malformedIpv6],
  ["hostname", canonicalizeHost, hostile.malformedHosts],
  ["port", parsePort, hostile.malformedPorts],
  ["key", parseKey, hostile.malformedKeys],
  ["AS number", (text) => (isAsn(text) ? text : null), hostile.malformedAsns],
])("a malformed %s is not read", (_, parse, malformed) => {
  expect([...malformed, ...hostileText].filter((text) => parse(text) !== null)).toEqual([]);
});

test.each(Object.keys(refusedByField) as Array<keyof typeof refusedByField>)(
  "the server rejects every hostile %s",
  (field) => {
    const accepted = refusedByField[field].filter((value) => {
      const update: PeerUpdate = { ...validUpdate, [field]: value };
      const checked = checkPeerUpdate(update, peeringContext);
      return checked.ok || checked.errors.map((error) => error.field).join() !== field;
    });
    expect(accepted).toEqual([]);
  },
);

const numbers = [0, -1, 1.5, 65_536, Number.NaN, Infinity];
const presharedKeys = ["", "A".repeat(44), `${"A".repeat(42)}B=`, `${hostile.validKey}\n`];

test.each<[string, keyof Peering, ReadonlyArray<string | number>]>([
  ["remote_ip", "endpointHost", refusedByField.remote_ip],
  ["public_key", "publicKey", refusedByField.public_key],
  ["peer_ipv4", "peerIpv4", refusedByField.peer_ipv4],
  ["peer_ipv6", "peerIpv6", refusedByField.peer_ipv6],
  ["local_ipv4", "localIpv4", refusedByField.peer_ipv4],
  ["local_ipv6", "localIpv6", refusedByField.local_ipv6],
  ["remote_port", "endpointPort", numbers],
  ["local_port", "listenPort", numbers],
  ["preshared_key", "presharedKey", [...refusedByField.preshared_key, ...presharedKeys]],
  ["probe_address", "probeAddress", refusedByField.probe_address],
  ["mtu", "mtu", [...numbers, 1279, 1300.5, 1421]],
])("the agent rejects every hostile %s", (field, name, values) => {
  const context = { ...peeringContext, nodeKeys: [hostile.nodeKey] };
  const fields = values.map((value) => checkPeering({ ...validPeering, [name]: value }, context)?.field);
  expect(values.filter((_, index) => fields[index] !== field)).toEqual([]);
});
