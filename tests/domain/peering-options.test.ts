/** The options of a peering are absent from the wire until the participant uses them. */
import { expect, test } from "vitest";
import type { PeerConfig } from "../../src/contract/entities.ts";
import * as v from "valibot";
import { peerConfig } from "../../src/contract/lenient.ts";
import {
  findSetOptions,
  fromPeerConfig,
  newPeerForm,
  type PeerForm,
  toPeerUpdate,
  withoutOptions,
} from "../../src/domain/peering/fields/peer-form.ts";
import { listShownValues } from "../../src/domain/peering/fields/shown-values.ts";
import { peeringOptions } from "../../src/domain/peering/fields/field-lists.ts";

const form: PeerForm = {
  ...newPeerForm,
  node: "syd01",
  remote_ip: "router.example.org",
  remote_port: "51820",
  peer_ipv6: "fe80::1",
  public_key: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
};

/** What a server of the specification responds. */
const config = v.parse(peerConfig, {
  local_port: "20001",
  local_asn: "4242422227",
  remote: "router.example.org:51820",
  peer_ipv4: "",
  peer_ipv6: "fe80::1",
  peer_publickey: form.public_key,
  peer_asn: "4242420001",
  bgp_ipv4: "Yes",
  bgp_ipv6: "Yes",
  bgp_mpbgp: "Yes",
  bgp_extnh: "Yes",
} satisfies Partial<PeerConfig>);

test("without options, request body and form are those of the specification, also of an edit", () => {
  const update = toPeerUpdate(form, []);
  const { node, address_family, bgp_extnh, ...texts } = update;
  expect([node, address_family, bgp_extnh]).toEqual(["syd01", "Both", "Yes"]);
  const fields = ["local_ipv6", "peer_ipv4", "peer_ipv6", "public_key", "remote_ip", "remote_port"];
  expect(Object.keys(texts).toSorted()).toEqual(fields);
  const edited = fromPeerConfig("syd01", config);
  expect(findSetOptions(edited)).toEqual([]);
  expect(toPeerUpdate(edited, [])).toEqual(update);
  const labels = listShownValues("your side", config).map(({ label }) => label);
  expect(labels).toEqual(["IP/port", "IPv4", "IPv6", "Public key"]);
});

test("an option that the peering has is sent without a value to remove it", () => {
  expect(toPeerUpdate({ ...form, mtu: "1412" }, [])).toMatchObject({ mtu: "1412" });
  expect(toPeerUpdate(form, ["mtu"])).toMatchObject({ mtu: "" });
});

test("an option that the server does not announce is not part of the form", () => {
  const full: PeerForm = { ...form, mtu: "1412" };
  expect(withoutOptions(full, [])).toEqual(form);
  expect(withoutOptions(full, ["an option of another server"])).toEqual(form);
  expect(withoutOptions(full, peeringOptions)).toEqual(full);
});
