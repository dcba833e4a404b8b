import { expect, test } from "vitest";
import { type AuditKind, auditSentences, describeAuditEvent, isSuspect } from "./audit-events.ts";

const kinds = Object.keys(auditSentences) as AuditKind[];
const event = { asn: "4242420001", host: "syd01.example.net", changes: [], detail: "" };
const port = { field: "port", before: "51820", after: "51821" };
const address = { field: "tunnel IPv4", before: null, after: "172.20.1.1" };
const removed = { ...address, before: "172.20.1.1", after: null };

test("every kind of event for the participant and for the operator", async () => {
  const lines = kinds.flatMap((kind) => [
    `${kind}${isSuspect(kind) ? " (may be an intruder)" : ""}`,
    `  ${describeAuditEvent({ ...event, kind }, "participant")}`,
    `  ${describeAuditEvent({ ...event, kind }, "operator")}`,
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/audit-sentences.txt");
});

test.each([
  [{ changes: [port] }, "You changed the port of syd01.example.net from 51820 to 51821."],
  [{ changes: [address] }, "You changed the tunnel IPv4 of syd01.example.net from none to 172.20.1.1."],
  [{ changes: [removed] }, "You changed the tunnel IPv4 of syd01.example.net from 172.20.1.1 to none."],
  [{ changes: [port, address] }, "You changed the peering on syd01.example.net."],
  [{ detail: "It was refused." }, "You changed the peering on syd01.example.net. It was refused."],
  [{ kind: "peering-created", changes: [port] }, "You created the peering on syd01.example.net."],
] as const)("a changed peering, or another event, with %j", (given, sentence) => {
  expect(describeAuditEvent({ ...event, kind: "peering-changed", ...given }, "participant")).toBe(sentence);
});

test("an event of an AS that is not known", () => {
  expect(describeAuditEvent({ ...event, asn: null, kind: "login-failed" }, "operator")).toBe(
    "Someone tried to log in as an unknown AS with a wrong password.",
  );
});
