import { expect, test } from "vitest";
import type { TypedField } from "../../../../domain/peering/peer-form.ts";
import { fieldErrorText, emptyState, reduceWizard, type WizardAction } from "./wizard-state.ts";

function after(...actions: readonly WizardAction[]) {
  return actions.reduce(reduceWizard, emptyState);
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
  expect(state.form).toEqual({ ...emptyState.form, remote_ip: "router.example.org" });
});

test("the server's message stays until the rejected field is changed", () => {
  const refused = after({ type: "fieldRejected", refusal: { field: "remote_ip", message: "Not yours." } });
  const error = (field: TypedField, ...actions: WizardAction[]) =>
    fieldErrorText(actions.reduce(reduceWizard, refused), field);
  expect(error("remote_ip")).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_port", value: "1" })).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_ip", value: "a.example" })).toBe("");
});

test("a conflict keeps the form and ends when a generation is chosen", () => {
  const typed = after({ type: "typed", field: "remote_ip", value: "router.example.org" });
  const conflicted = reduceWizard(typed, { type: "conflictFound", message: "Changed." });
  expect(conflicted).toEqual({ ...typed, conflict: "Changed." });
  expect(reduceWizard(conflicted, { type: "formKept", generation: 7 })).toEqual({ ...typed, generation: 7 });
});
