import { expect, test } from "vitest";
import { emptyPeerForm, type PeerForm } from "#domain/peering/fields/peer-form.ts";
import { neighbourStep, reachableStep, stepOfField, stepOfFields } from "./steps.ts";

const full: PeerForm = {
  ...emptyPeerForm,
  node: "syd01",
  address_family: "IPv4",
  remote_ip: "192.0.2.1",
  remote_port: "51820",
  peer_ipv4: "172.20.1.1",
  public_key: "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
};

test.each([
  ["new", emptyPeerForm, "confirmDetails", "selectNode"],
  ["new", { ...emptyPeerForm, node: "syd01" }, "confirmDetails", "selectBGPDetails"],
  ["new", { ...full, remote_port: "0" }, "confirmDetails", "enterDetails"],
  ["new", full, "confirmDetails", "confirmDetails"],
  ["new", full, "selectBGPDetails", "selectBGPDetails"],
  ["new", full, undefined, "selectNode"],
  ["new", full, "awaitingDeployment", "selectNode"],
  ["edit", full, undefined, "selectBGPDetails"],
  ["edit", full, "selectNode", "selectBGPDetails"],
  ["edit", full, "confirmDetails", "confirmDetails"],
] as const)("%s with %o: a request for %s opens %s", (type, form, requested, step) => {
  expect(reachableStep(type, form, requested)).toBe(step);
});

test("every step has a neighbour, except at the ends", () => {
  expect(neighbourStep("new", "selectNode", 1)).toBe("selectBGPDetails");
  expect(neighbourStep("new", "selectBGPDetails", -1)).toBe("selectNode");
  expect(neighbourStep("edit", "selectBGPDetails", -1)).toBeUndefined();
  expect(neighbourStep("edit", "confirmDetails", 1)).toBeUndefined();
});

test("a rejected field opens the step that has its input", () => {
  expect(stepOfField("new", "node")).toBe("selectNode");
  expect(stepOfField("edit", "node")).toBe("selectBGPDetails");
  expect(stepOfField("edit", "remote_ip")).toBe("enterDetails");
  expect(stepOfField("new", "local_ipv6")).toBe("selectBGPDetails");
});

test("several rejected fields open the first step that has one of them", () => {
  expect(stepOfFields("new", ["public_key", "local_ipv6", "remote_ip"])).toBe("selectBGPDetails");
  expect(stepOfFields("new", ["public_key"])).toBe("enterDetails");
  expect(stepOfFields("edit", ["public_key", "node"])).toBe("selectBGPDetails");
});
