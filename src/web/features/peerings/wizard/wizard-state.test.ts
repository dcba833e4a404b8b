import { describe, expect, test } from "vitest";
import type { TypedField } from "#domain/peering/fields/field-lists.ts";
import {
  fieldAdvice,
  fieldErrorText,
  newState,
  reduceWizard,
  type WizardAction,
  type WizardState,
} from "./wizard-state.ts";

const type = (field: TypedField, value: string): WizardAction => ({ type: "typed", field, value });

function after(...actions: readonly WizardAction[]) {
  return actions.reduce(reduceWizard, newState);
}

test("'Invalid value' appears only after the field has lost the focus", () => {
  const typed = after({ type: "typed", field: "remote_port", value: "065" });
  expect(fieldErrorText(typed, "remote_port")).toBe("");
  expect(fieldErrorText(reduceWizard(typed, { type: "blurred", field: "remote_port" }), "remote_port")).toBe(
    "Invalid value",
  );
});

test("a required field left empty is invalid, an optional one is not", () => {
  const state = after(
    { type: "familyChosen", family: "IPv6" },
    { type: "blurred", field: "peer_ipv6" },
    { type: "blurred", field: "public_key" },
  );
  expect(fieldErrorText(state, "peer_ipv6")).toBe("");
  expect(fieldErrorText(state, "public_key")).toBe("Invalid value");
});

test("blur removes spaces around the value and changes nothing else", () => {
  const state = after(
    { type: "typed", field: "remote_ip", value: " router.example.org\n" },
    { type: "blurred", field: "remote_ip" },
  );
  expect(state.form).toEqual({ ...newState.form, remote_ip: "router.example.org" });
});

test("the server's message stays until the rejected field is changed", () => {
  const refused = after({
    type: "fieldsRejected",
    refusals: [
      { field: "remote_ip", message: "Not yours." },
      { field: "public_key", message: "Not a key." },
    ],
  });
  const error = (field: TypedField, ...actions: WizardAction[]) =>
    fieldErrorText(actions.reduce(reduceWizard, refused), field);
  expect(error("remote_ip")).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_port", value: "1" })).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_ip", value: "a.example" })).toBe("");
  expect(error("public_key", { type: "typed", field: "remote_ip", value: "a.example" })).toBe("Not a key.");
  expect(error("remote_ip", { type: "nodeChosen", node: "de01" })).toBe("");
});

test("a conflict keeps the form and ends when a generation is chosen", () => {
  const typed = after({ type: "typed", field: "remote_ip", value: "router.example.org" });
  const conflicted = reduceWizard(typed, { type: "conflictFound", message: "Changed." });
  expect(conflicted).toEqual({ ...typed, conflict: "Changed." });
  expect(reduceWizard(conflicted, { type: "formKept", generation: 7, setOptions: [] })).toEqual({
    ...typed,
    generation: 7,
  });
});

test("the reason for an invalid value, or for a later rejection, appears once the field was left", () => {
  const left = (field: TypedField, value: string) =>
    after({ type: "typed", field, value }, { type: "blurred", field });
  const typed = after({ type: "typed", field: "remote_ip", value: "router.dn42" });
  expect(fieldAdvice(typed, "remote_ip", [])).toBe("");
  const shown = (field: TypedField, value: string) => {
    const state = left(field, value);
    return [fieldErrorText(state, field), fieldAdvice(state, field, [])];
  };
  expect(shown("remote_ip", "router.dn42")).toEqual([
    "Invalid value",
    "router.dn42 exists only inside the network. The endpoint must be reachable on the public internet: enter a public name or address.",
  ]);
  expect(shown("remote_ip", "2001:db8::1")).toEqual([
    "Invalid value",
    "IPv6 addresses are not accepted here. Enter a hostname with an AAAA record.",
  ]);
  // Valid for the form, and rejected by the server.
  expect(shown("remote_ip", "router.hack")).toEqual([
    "",
    expect.stringMatching(/^router\.hack exists only inside the network/),
  ]);
  expect(shown("public_key", "YWJj")).toEqual(["", expect.stringMatching(/^Not a WireGuard public key/)]);
  expect(fieldAdvice(left("remote_ip", ""), "remote_ip", [])).toBe("");
});

test("the server's errors appear at fields that were left, unless a rule explains the value or a submit failed", () => {
  const errors = [
    { field: "peer_ipv6", message: "Used." },
    { field: "peer_ipv6", message: "Not registered." },
  ] as const;
  const typed = after({ type: "typed", field: "peer_ipv6", value: "fe80::1" });
  expect(fieldAdvice(typed, "peer_ipv6", errors)).toBe("");
  const left = reduceWizard(typed, { type: "blurred", field: "peer_ipv6" });
  expect(fieldAdvice(left, "peer_ipv6", errors)).toBe("Used. Not registered.");
  expect(fieldAdvice(left, "peer_ipv4", errors)).toBe("");
  const zone = reduceWizard(left, { type: "typed", field: "peer_ipv6", value: "fe80::1%wg0" });
  expect(fieldAdvice(zone, "peer_ipv6", errors)).toMatch(/^Leave out the zone %wg0/);
  const refused = reduceWizard(left, { type: "fieldsRejected", refusals: errors });
  expect([fieldErrorText(refused, "peer_ipv6"), fieldAdvice(refused, "peer_ipv6", errors)]).toEqual([
    "Used. Not registered.",
    "",
  ]);
});

describe("a withheld text", () => {
  const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";

  test("changes nothing but the field's error, until the field accepts a text", () => {
    const typed = after(type("remote_ip", "router."), type("remote_port", "51820"));
    const withheld = reduceWizard(typed, type("remote_ip", `[Interface]\nPrivateKey = ${key}`));
    expect(withheld).toEqual({ ...typed, withheld: { ...typed.withheld, remote_ip: "private-key" } });
    expect(JSON.stringify(withheld)).not.toContain(key);
    const error = (...actions: WizardAction[]) =>
      fieldErrorText(actions.reduce(reduceWizard, withheld), "remote_ip");
    const text = "This contains a private key. It was not sent or saved.";
    expect(error()).toBe(text);
    expect(error({ type: "blurred", field: "remote_ip" }, type("remote_port", "1"))).toBe(text);
    expect(error(type("remote_ip", key))).toBe("This may be a private key. It was not sent or saved.");
    expect(error(type("remote_ip", "router.e"))).toBe("");
  });

  test("hides what is known about the value that the field still has, and keeps the server's refusal", () => {
    const state = after(
      type("remote_ip", "router.dn42"),
      { type: "blurred", field: "remote_ip" },
      { type: "fieldsRejected", refusals: [{ field: "remote_ip", message: "Not yours." }] },
      type("remote_ip", "a\nb"),
    );
    expect(fieldErrorText(state, "remote_ip")).toBe("This has several lines. It was not sent or saved.");
    expect(fieldAdvice(state, "remote_ip", [])).toBe("");
    expect(state.refusals).toHaveLength(1);
  });

  test("typed character by character leaves its end alone in the form", () => {
    const characters = Array.from(key);
    const state = characters.reduce(
      (before, character) => reduceWizard(before, type("remote_ip", before.form.remote_ip + character)),
      newState,
    );
    expect(state.form.remote_ip).toBe("k=");
    const afterKey = after(type("public_key", key), type("public_key", `${key}x`));
    expect([afterKey.form.public_key, afterKey.withheld.public_key]).toEqual([key, "key"]);
  });
});

test("a key that may be private has an advice once its field was left, unless the edit began with it", () => {
  const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHl8=";
  const left = (before: WizardState) =>
    [type("public_key", key), { type: "blurred", field: "public_key" } as const].reduce(reduceWizard, before);
  const advice =
    "This may be a private key: every private key has this form, and one public key in 16 as well. It is sent by Submit only, and not saved before. Enter the key that 'wg pubkey' prints.";
  const state = left(newState);
  expect([fieldErrorText(state, "public_key"), fieldAdvice(state, "public_key", [])]).toEqual(["", advice]);
  expect(state.form.public_key).toBe(key);
  expect(fieldAdvice(left({ ...newState, configKey: key }), "public_key", [])).toBe("");
});
