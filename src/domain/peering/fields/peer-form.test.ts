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

type Left = Pick<PeerForm, "bgp_extnh" | "custom_local_ipv6" | "peer_ipv4" | "peer_ipv6" | "local_ipv6">;
const left = (
  bgp_extnh: PeerForm["bgp_extnh"],
  custom_local_ipv6: PeerForm["custom_local_ipv6"],
  peer_ipv4: string,
  peer_ipv6: string,
  local_ipv6: string,
): Left => ({ bgp_extnh, custom_local_ipv6, peer_ipv4, peer_ipv6, local_ipv6 });

const [four, six, local] = [typed.peer_ipv4, typed.peer_ipv6, typed.local_ipv6];

/** Every address family with every answer (section 4 of `docs/behaviour.md`). */
const transitions: ReadonlyArray<readonly [AddressFamily, YesNo, YesNo, Left]> = [
  // IPv4 asks neither question and clears previous answers.
  ["IPv4", "Yes", "Yes", left("", "", four, "", "")],
  ["IPv4", "Yes", "No", left("", "", four, "", "")],
  ["IPv4", "No", "Yes", left("", "", four, "", "")],
  ["IPv4", "No", "No", left("", "", four, "", "")],
  // IPv6 asks for the custom address only.
  ["IPv6", "Yes", "Yes", left("No", "Yes", "", six, local)],
  ["IPv6", "Yes", "No", left("No", "No", "", six, "")],
  ["IPv6", "No", "Yes", left("No", "Yes", "", six, local)],
  ["IPv6", "No", "No", left("No", "No", "", six, "")],
  ["Both", "Yes", "Yes", left("Yes", "Yes", "", six, local)],
  ["Both", "Yes", "No", left("Yes", "No", "", six, "")],
  ["Both", "No", "Yes", left("No", "Yes", four, six, local)],
  ["Both", "No", "No", left("No", "No", four, six, "")],
];

function answer(form: PeerForm, family: AddressFamily, extendedNextHop: YesNo, custom: YesNo): PeerForm {
  const chosen = chooseFamily(form, family);
  const routed = family === "Both" ? chooseExtendedNextHop(chosen, extendedNextHop) : chosen;
  return family === "IPv4" ? routed : chooseCustomLocalIpv6(routed, custom);
}

describe("fields that a choice clears", () => {
  test.each(transitions)("%s, extended next hop %s, custom address %s", (family, extnh, custom, remains) => {
    expect(answer(full(""), family, extnh, custom)).toEqual({
      ...full(family),
      ...remains,
    });
  });

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

test.each<[AddressFamily, YesNo, TypedField[], TypedField[]]>([
  ["IPv4", "No", ["peer_ipv4"], ["peer_ipv4"]],
  ["IPv6", "No", ["peer_ipv6", "local_ipv6"], []],
  ["Both", "Yes", ["peer_ipv6", "local_ipv6"], ["peer_ipv6"]],
  ["Both", "No", ["peer_ipv4", "peer_ipv6", "local_ipv6"], ["peer_ipv4"]],
])("%s, extended next hop %s: addresses shown %j, required %j", (family, extnh, shown, required) => {
  const choices = {
    address_family: family,
    bgp_extnh: extnh,
    custom_local_ipv6: "Yes",
    no_endpoint: "",
  } as const;
  const addresses = ["peer_ipv4", "peer_ipv6", "local_ipv6"] as const;
  expect(addresses.filter((field) => inputOf(field).isShown(choices))).toEqual(shown);
  expect(addresses.filter((field) => inputOf(field).isRequired(choices))).toEqual(required);
  expect(inputOf("local_ipv6").isShown({ ...choices, custom_local_ipv6: "No" })).toBe(false);
  for (const field of ["remote_ip", "remote_port", "public_key"] as const) {
    expect(inputOf(field).isShown(choices) && inputOf(field).isRequired(choices)).toBe(true);
  }
});

test.each<[Partial<PeerForm>, boolean]>([
  [{ address_family: "" }, false],
  [{ address_family: "IPv4" }, true],
  [{ address_family: "IPv6" }, true],
  [{ address_family: "Both" }, false],
  [{ address_family: "Both", bgp_extnh: "Yes" }, true],
  [{ address_family: "Both", bgp_extnh: "No" }, true],
  [{ address_family: "Both", custom_local_ipv6: "Yes", local_ipv6: "fe80::9" }, false],
  [{ address_family: "IPv6", custom_local_ipv6: "Yes", local_ipv6: "" }, true],
  [{ address_family: "IPv6", custom_local_ipv6: "Yes", local_ipv6: "fe80::9" }, true],
  [{ address_family: "IPv6", custom_local_ipv6: "Yes", local_ipv6: "nonsense" }, false],
  [{ address_family: "IPv6", custom_local_ipv6: "No", local_ipv6: "nonsense" }, true],
])("the family step with %j is complete: %s", (change, complete) => {
  expect(isFamilyStepComplete({ ...emptyPeerForm, ...change })).toBe(complete);
});

test("a new form has the usual choices and no text", () => {
  expect(newPeerForm).toEqual({
    node: "",
    address_family: "Both",
    bgp_extnh: "Yes",
    custom_local_ipv6: "No",
    remote_ip: "",
    remote_port: "",
    peer_ipv4: "",
    peer_ipv6: "",
    local_ipv6: "",
    public_key: "",
    mtu: "",
    preshared_key: "",
    no_endpoint: "",
  });
});

test("an answer about extended next hop does not count for a single address family", () => {
  const form = { ...full("IPv6"), bgp_extnh: "Yes" } as const;
  expect(toPeerUpdate(form, []).bgp_extnh).toBe("No");
  expect(isDetailsStepComplete({ ...form, peer_ipv6: "" })).toBe(true);
});

/** Which of the two tunnel addresses is optional (section 5 of `docs/behaviour.md`). */
test.each<[AddressFamily, YesNo, { ipv4Missing: boolean; ipv6Missing: boolean }]>([
  ["IPv4", "No", { ipv4Missing: false, ipv6Missing: true }],
  ["IPv6", "No", { ipv4Missing: true, ipv6Missing: true }],
  ["Both", "Yes", { ipv4Missing: true, ipv6Missing: false }],
  ["Both", "No", { ipv4Missing: false, ipv6Missing: true }],
])("the details of %s, extended next hop %s", (family, extnh, { ipv4Missing, ipv6Missing }) => {
  const form = { ...full(family), bgp_extnh: extnh };
  expect(isDetailsStepComplete(form)).toBe(true);
  expect(isDetailsStepComplete({ ...form, peer_ipv4: "" })).toBe(ipv4Missing);
  expect(isDetailsStepComplete({ ...form, peer_ipv6: "" })).toBe(ipv6Missing);
  expect(isDetailsStepComplete({ ...form, peer_ipv4: "1.2.3" })).toBe(!inputOf("peer_ipv4").isShown(form));
  expect(isDetailsStepComplete({ ...form, peer_ipv6: "1::2::3" })).toBe(!inputOf("peer_ipv6").isShown(form));
  for (const field of ["remote_ip", "remote_port", "public_key"] as const) {
    expect(isDetailsStepComplete({ ...form, [field]: "" })).toBe(false);
    expect(isDetailsStepComplete({ ...form, [field]: "not valid!" })).toBe(false);
  }
});

test.each<[TypedField, string[], string[]]>([
  ["remote_ip", ["1.2.3.4", "a.example"], ["", "localhost", "1.2.3.256", "::1"]],
  ["remote_port", ["1", "65535"], ["", "0", "65536", "080"]],
  ["peer_ipv4", ["172.20.0.1"], ["", "172.20.0", "172.20.0.1/32"]],
  ["peer_ipv6", ["fe80::1", "fe80::1%wg0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"], ["", "fe80::1%", "1::2::3"]],
  ["local_ipv6", ["", "fe80::1", "fe80::1%wg0"], ["fe80", "1.2.3.4"]],
  ["public_key", [key, "AAAA"], ["", "A", "AAA", "AA=A"]],
])("%s accepts %j and rejects %j", (field, good, bad) => {
  expect(good.filter((value) => !inputOf(field).isValid(value))).toEqual([]);
  expect(bad.filter((value) => inputOf(field).isValid(value))).toEqual([]);
});

describe("request body and configuration", () => {
  test("a form without an address family has no request body", () => {
    expect(() => toPeerUpdate(emptyPeerForm, [])).toThrow("no address family chosen");
  });

  test.each(transitions)(
    "an edit of %s, %s, %s starts from the submitted values",
    (family, extnh, custom) => {
      const form = answer(full(""), family, extnh, custom);
      const update = toPeerUpdate(form, []);
      const config: PeerConfig = {
        local_port: "20001",
        local_asn: "4242422227",
        remote: `${update.remote_ip}:${update.remote_port}`,
        peer_ipv4: update.peer_ipv4,
        peer_ipv6: update.peer_ipv6,
        peer_publickey: update.public_key,
        peer_asn: "4242420001",
        bgp_ipv4: family === "IPv6" ? "No" : "Yes",
        bgp_ipv6: family === "IPv4" ? "No" : "Yes",
        bgp_mpbgp: update.bgp_extnh,
        bgp_extnh: update.bgp_extnh,
        address_family: update.address_family,
        local_ipv6: update.local_ipv6,
        generation: 1,
        mtu: "",
        preshared_key: "",
        no_endpoint: "",
      };
      expect(fromPeerConfig("syd01", config)).toEqual(form);
      expect(isFamilyStepComplete(form)).toBe(true);
      expect(isDetailsStepComplete(form)).toBe(true);
    },
  );
});
