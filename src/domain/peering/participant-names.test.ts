import fc from "fast-check";
import { expect, test } from "vitest";
import { participantInterface } from "./participant-names.ts";

/** Valid for Linux, for wg-quick and as a symbol of BIRD without quotes. */
const validName = /^[a-z][a-z0-9_]{0,14}$/;

test.each([
  ["4242422227", "syd01", "dn42_2227_syd01"],
  ["4242422227", "de1", "dn42_2227_de1"],
  ["4242422227", "a-b", "dn42_2227_a_b"],
  ["64512", "de01", "dn42_64512_de01"],
  ["4242422227", "a-v4b", "dn42_2227_a_v4b"],
])("AS%s, %s: %s", (asn, node, name) => {
  expect(participantInterface(asn, node)).toBe(name);
});

test.each([
  ["4242422227", "frankfurt-de-01", "dn42_fra_"],
  ["4242422227", "frankfurt-de-02", "dn42_fra_"],
  // The last four digits belong to an AS of dn42.
  ["2227", "syd01", "dn42_syd_"],
  ["4242422227", "a_b", "dn42_ab_"],
  ["4242422227", "x-v4", "dn42_xv4_"],
  ["4242422227", "ÄÖ", "dn42__"],
])("AS%s, %s: %s and a hash", (asn, node, start) => {
  const name = participantInterface(asn, node);
  expect(name.slice(0, -6)).toBe(start);
  expect(name).toMatch(validName);
});

const providers = ["4242420000", "4242422227", "4242432227", "64512", "2227"];

test("the nodes of several providers have different names, whatever their lengths", () => {
  const nodes = ["de", "frankfurt-de-", "a-node-with-a-very-long-name-in-frankfurt-"].flatMap((start) =>
    Array.from({ length: 100 }, (_, index) => `${start}${String(index).padStart(2, "0")}`),
  );
  const names = providers.flatMap((asn) => nodes.map((node) => participantInterface(asn, node)));
  expect(new Set(names).size).toBe(names.length);
});

const alphabet = Array.from("ab1-_");
const node = fc.oneof(
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 14, maxLength: 63 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
);
const pair = fc.tuple(fc.constantFrom(...providers), node);

test("names are valid, and different for different providers or nodes", () => {
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const [first, second] = [participantInterface(...one), participantInterface(...other)];
      expect(first).toMatch(validName);
      expect(first === second).toBe(one.join(" ") === other.join(" "));
      // BIRD's protocols have these names too, with a suffix for a session of one address family.
      expect([`${second}_v4`, `${second}_v6`]).not.toContain(first);
    }),
    { numRuns: 1000 },
  );
});
