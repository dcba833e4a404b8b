import { expect, test } from "vitest";
import type { TypedField } from "../../../domain/peer-form.ts";
import { fieldError, newPeering, reduceWizard, type WizardAction } from "./wizard-state.ts";

function after(...actions: readonly WizardAction[]) {
  return actions.reduce(reduceWizard, newPeering);
}

test("'Invalid value' stands only once the field was left", () => {
  const typed = after({ type: "typed", field: "remote_port", value: "065" });
  expect(fieldError(typed, "remote_port")).toBe("");
  expect(fieldError(reduceWizard(typed, { type: "left", field: "remote_port" }), "remote_port")).toBe(
    "Invalid value",
  );
});

test("a required field left empty is invalid, an optional one is not", () => {
  const state = after(
    { type: "familyChosen", family: "IPv6" },
    { type: "left", field: "peer_ipv6" },
    { type: "left", field: "public_key" },
  );
  expect(fieldError(state, "peer_ipv6")).toBe("");
  expect(fieldError(state, "public_key")).toBe("Invalid value");
});

test("leaving a field drops the blanks around its value, and nothing else", () => {
  const state = after(
    { type: "typed", field: "remote_ip", value: " router.example.org\n" },
    { type: "left", field: "remote_ip" },
  );
  expect(state.form).toEqual({ ...newPeering.form, remote_ip: "router.example.org" });
});

test("the server's refusal stands until its field is changed", () => {
  const refused = after({ type: "refused", refusal: { field: "remote_ip", message: "Not yours." } });
  const error = (field: TypedField, ...actions: WizardAction[]) =>
    fieldError(actions.reduce(reduceWizard, refused), field);
  expect(error("remote_ip")).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_port", value: "1" })).toBe("Not yours.");
  expect(error("remote_ip", { type: "typed", field: "remote_ip", value: "a.example" })).toBe("");
});

test("a conflict keeps everything entered, and ends with the choice of a generation", () => {
  const typed = after({ type: "typed", field: "remote_ip", value: "router.example.org" });
  const conflicted = reduceWizard(typed, { type: "conflicted", message: "Changed." });
  expect(conflicted).toEqual({ ...typed, conflict: "Changed." });
  expect(reduceWizard(conflicted, { type: "mineKept", generation: 7 })).toEqual({ ...typed, generation: 7 });
});
