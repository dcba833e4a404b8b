import { expect, test } from "vitest";
import { emptyPeerForm, type PeerForm } from "../../../domain/peer-form.ts";
import { neighbourStep, reachableStep, stepOfField } from "./steps.ts";

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
] as const)("%s with %o: wanting %s leads to %s", (type, form, wanted, step) => {
  expect(reachableStep(type, form, wanted)).toBe(step);
});

test("steps have neighbours, except beyond the ends", () => {
  expect(neighbourStep("new", "selectNode", 1)).toBe("selectBGPDetails");
  expect(neighbourStep("new", "selectBGPDetails", -1)).toBe("selectNode");
  expect(neighbourStep("edit", "selectBGPDetails", -1)).toBeUndefined();
  expect(neighbourStep("edit", "confirmDetails", 1)).toBeUndefined();
});

test("a refused field leads to where it can be changed", () => {
  expect(stepOfField("new", "node")).toBe("selectNode");
  expect(stepOfField("edit", "node")).toBe("selectBGPDetails");
  expect(stepOfField("edit", "remote_ip")).toBe("enterDetails");
  expect(stepOfField("new", "local_ipv6")).toBe("selectBGPDetails");
});
