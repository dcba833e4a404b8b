import { expect, test } from "vitest";
import { createKnownClients } from "./known-clients.ts";

const knownClients = createKnownClients(Buffer.alloc(32, 1));
const asn = "4242420001";
const cookie = knownClients.add(null, asn);

test("an entry is valid for its AS and key only", () => {
  expect(knownClients.find(cookie, asn)).toMatch(/^[\w-]{22}$/);
  expect(knownClients.find(cookie, "4242420002")).toBeNull();
  expect(createKnownClients(Buffer.alloc(32, 2)).find(cookie, asn)).toBeNull();
});

test.each([
  ["nothing", ""],
  ["a short entry", cookie.slice(0, -1)],
  ["a long entry", `${cookie}A`],
  ["a text before the entry", `A${cookie}`],
  ["another ID", `${cookie.startsWith("A") ? "B" : "A"}${cookie.slice(1)}`],
  ["another signature", `${cookie.slice(0, 22)}${"A".repeat(43)}`],
  ["the entry after eight others", `${".".repeat(8)}${cookie}`],
  ["other characters", "\u0000😀".repeat(1000)],
])("a cookie with %s is no proof", (_, text) => {
  expect(knownClients.find(text, asn)).toBeNull();
});

test("each client has its own ID, and keeps it at the next login", () => {
  const id = knownClients.find(cookie, asn);
  expect(knownClients.find(knownClients.add(null, asn), asn)).not.toBe(id);
  expect(knownClients.add(cookie, asn)).toBe(cookie);
});

test("a client is known as the eight AS numbers that it logged in as last", () => {
  const asns = Array.from({ length: 9 }, (_, index) => String(4_242_420_000 + index));
  const [first = "", second = "", ...others] = asns;
  let text: string | null = null;
  for (const other of [first, second, ...others.slice(0, -1), first, others.at(-1) ?? ""])
    text = knownClients.add(text, other);
  expect(asns.filter((other) => knownClients.find(text, other) === null)).toEqual([second]);
  expect(text?.split(".")).toHaveLength(8);
});
