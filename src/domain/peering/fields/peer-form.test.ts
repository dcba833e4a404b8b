import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AddressFamily, addressFamilies, type PeerConfig, type YesNo } from "#contract/entities.ts";
import {
  chooseCustomLocalIpv6,
  chooseExtendedNextHop,
  chooseFamily,
  isDetailsStepComplete,
  emptyPeerForm,
  isFamilyStepComplete,
  newPeerForm,
  fromPeerConfig,
  type PeerForm,
  toPeerUpdate,
} from "./peer-form.ts";
import { inputOf, type TypedField } from "./field-lists.ts";

const key = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
const typed = {
  node: "syd01",
  remote_ip: "router.example.org",
  remote_port: "51820",
  peer_ipv4: "172.20.1.1",
  peer_ipv6: "fe80::1",
  local_ipv6: "fe80::9",
  public_key: key,
};
/** A form with a value in every field. */
const full = (family: AddressFamily | ""): PeerForm => ({
  ...emptyPeerForm,
  ...typed,
  address_family: family,
  bgp_extnh: "Yes",
  custom_local_ipv6: "Yes",
});

const [four, six, local] = [typed.peer_ipv4, typed.peer_ipv6, typed.local_ipv6];

/**
 * Every address family with the answers that it asks for about extended next hop and the custom address, and what remains of
 * both answers and the three addresses (section 4 of `docs/behaviour.md`).
 */
const transitions = [
  ["IPv4", "Yes", "Yes", "", "", four, "", ""],
  ["IPv6", "Yes", "Yes", "No", "Yes", "", six, local],
  ["IPv6", "Yes", "No", "No", "No", "", six, ""],
  ["Both", "Yes", "Yes", "Yes", "Yes", "", six, local],
  ["Both", "Yes", "No", "Yes", "No", "", six, ""],
  ["Both", "No", "Yes", "No", "Yes", four, six, local],
  ["Both", "No", "No", "No", "No", four, six, ""],
] as const;

function answer(form: PeerForm, family: AddressFamily, extendedNextHop: YesNo, custom: YesNo): PeerForm {
  const chosen = chooseFamily(form, family);
  const routed = family === "Both" ? chooseExtendedNextHop(chosen, extendedNextHop) : chosen;
  return family === "IPv4" ? routed : chooseCustomLocalIpv6(routed, custom);
}

describe("fields that a choice clears", () => {
  test.each(transitions)(
    "%s, extended next hop %s, custom address %s; an edit starts from the submitted values",
    (family, extnh, custom, ...left) => {
      const [bgp_extnh, custom_local_ipv6, peer_ipv4, peer_ipv6, local_ipv6] = left;
      const remains = { bgp_extnh, custom_local_ipv6, peer_ipv4, peer_ipv6, local_ipv6 };
      const form = answer(full(""), family, extnh, custom);
      expect(form).toEqual({ ...full(family), ...remains });
      expect([isFamilyStepComplete(form), isDetailsStepComplete(form)]).toEqual([true, true]);
      const { remote_ip, remote_port, public_key, node: _, ...same } = toPeerUpdate(form, []);
      const config = { ...same, remote: `${remote_ip}:${remote_port}`, peer_publickey: public_key };
      const options = { mtu: "", probe_address: "", preshared_key: "", no_endpoint: "" };
      expect(fromPeerConfig("syd01", { ...config, ...options } as unknown as PeerConfig)).toEqual(form);
    },
  );

  test("Both asks for extended next hop again after IPv6, which sets No without asking", () => {
    expect(chooseFamily(chooseFamily(full("Both"), "IPv6"), "Both").bgp_extnh).toBe("");
    expect(chooseFamily(full("Both"), "Both")).toEqual(full("Both"));
  });

  test("a field that is not shown is empty in the request body, in any order of choices", () => {
    const step = fc.oneof(
      fc.constantFrom(...addressFamilies).map((family) => (form: PeerForm) => chooseFamily(form, family)),
      fc.constantFrom<YesNo>("Yes", "No").map((yes) => (form: PeerForm) => chooseExtendedNextHop(form, yes)),
      fc.constantFrom<YesNo>("Yes", "No").map((yes) => (form: PeerForm) => chooseCustomLocalIpv6(form, yes)),
    );
    fc.assert(
      fc.property(fc.array(step), fc.constantFrom(...addressFamilies), (steps, family) => {
        const form = steps.reduce((before, change) => change(before), full(family));
        const update = toPeerUpdate(form, []);
        const hidden = (["peer_ipv4", "peer_ipv6", "local_ipv6"] as const).filter(
          (field) => !inputOf(field).isShown(form),
        );
        expect(hidden.map((field) => update[field])).toEqual(hidden.map(() => ""));
      }),
    );
  });
});

const always = ["remote_ip", "remote_port", "public_key"] as const;

/** Which addresses are shown and required (section 5 of `docs/behaviour.md`). */
test.each<[AddressFamily, YesNo, TypedField[], TypedField[]]>([
  ["IPv4", "No", ["peer_ipv4"], ["peer_ipv4"]],
  ["IPv6", "No", ["peer_ipv6", "local_ipv6"], []],
  ["Both", "Yes", ["peer_ipv6", "local_ipv6"], ["peer_ipv6"]],
  ["Both", "No", ["peer_ipv4", "peer_ipv6", "local_ipv6"], ["peer_ipv4"]],
])("%s, extended next hop %s: addresses shown %j, required %j", (family, bgp_extnh, shown, required) => {
  const form = { ...full(family), bgp_extnh };
  const fields = ["peer_ipv4", "peer_ipv6", "local_ipv6", ...always] as const;
  const isComplete = (field: TypedField, text: string) => isDetailsStepComplete({ ...form, [field]: text });
  expect(isDetailsStepComplete(form)).toBe(true);
  expect(fields.filter((field) => inputOf(field).isShown(form))).toEqual([...shown, ...always]);
  expect(fields.filter((field) => !isComplete(field, "not valid!"))).toEqual([...shown, ...always]);
  expect(fields.filter((field) => !isComplete(field, ""))).toEqual([...required, ...always]);
  expect(inputOf("local_ipv6").isShown({ ...form, custom_local_ipv6: "No" })).toBe(false);
});

test.each<[boolean, AddressFamily | "", Partial<PeerForm>]>([
  [false, "", {}],
  [true, "IPv4", {}],
  [true, "IPv6", {}],
  [false, "Both", {}],
  [true, "Both", { bgp_extnh: "Yes" }],
  [true, "Both", { bgp_extnh: "No" }],
  [false, "Both", { custom_local_ipv6: "Yes", local_ipv6: "fe80::9" }],
  [true, "IPv6", { custom_local_ipv6: "Yes", local_ipv6: "" }],
  [true, "IPv6", { custom_local_ipv6: "Yes", local_ipv6: "fe80::9" }],
  [false, "IPv6", { custom_local_ipv6: "Yes", local_ipv6: "nonsense" }],
  [true, "IPv6", { custom_local_ipv6: "No", local_ipv6: "nonsense" }],
])("the family step is complete: %s, with %s and %j", (complete, address_family, change) => {
  expect(isFamilyStepComplete({ ...emptyPeerForm, address_family, ...change })).toBe(complete);
});

test("a new form has the usual choices and no text", () => {
  const { address_family, bgp_extnh, custom_local_ipv6, ...texts } = newPeerForm;
  expect([address_family, bgp_extnh, custom_local_ipv6]).toEqual(["Both", "Yes", "No"]);
  expect(Object.values(texts).join("")).toBe("");
});

test("an answer about extended next hop does not count for a single address family", () => {
  const form = { ...full("IPv6"), bgp_extnh: "Yes" } as const;
  expect(toPeerUpdate(form, []).bgp_extnh).toBe("No");
  expect(isDetailsStepComplete({ ...form, peer_ipv6: "" })).toBe(true);
});

test.each<[TypedField, string[], string[]]>([
  ["remote_ip", ["1.2.3.4", "a.example"], ["", "localhost", "1.2.3.256", "::1"]],
  ["remote_port", ["1", "65535"], ["", "0", "65536", "080"]],
  ["peer_ipv4", ["172.20.0.1"], ["", "172.20.0", "172.20.0.1/32"]],
  ["peer_ipv6", ["fe80::1", "fe80::1%wg0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"], ["", "fe80::1%", "1::2::3"]],
  ["local_ipv6", ["", "fe80::1", "fe80::1%wg0"], ["fe80", "1.2.3.4"]],
  ["public_key", [key, "AAAA"], ["", "A", "AAA", "AA=A"]],
  ["mtu", ["1280", "1420"], ["1279", "1421", "1400.5", "0x578", "1.4e3"]],
])("%s accepts %j and rejects %j", (field, good, bad) => {
  expect(good.filter((value) => !inputOf(field).isValid(value))).toEqual([]);
  expect(bad.filter((value) => inputOf(field).isValid(value))).toEqual([]);
});

test("a form without an address family has no request body", () => {
  expect(() => toPeerUpdate(emptyPeerForm, [])).toThrow("no address family chosen");
});
