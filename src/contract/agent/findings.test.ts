import * as v from "valibot";
import { expect, test } from "vitest";
import {
  codedFacts,
  codedFactsList,
  factKinds,
  factsOf,
  maxCodedFacts,
  maxOutputLength,
  readFacts,
} from "./findings.ts";

const finding = (facts: unknown, code: unknown = "no-handshake") => ({ code, facts });
const isAccepted = (sent: unknown) => v.is(codedFacts, sent);

test.each<[string, unknown]>([
  ["none", {}],
  ["words", { endpoint: "[2001:db8::1]:51820", state: "", host: "größe.例え", name: "x".repeat(255) }],
  ["numbers", { ageSeconds: 181, port: 0, change: -1.5 }],
  ["true, false and null", { isInvalid: true, hasExtendedNextHop: false, minutes: null }],
  ["lists of words", { families: ["IPv4", "IPv6"], files: [], names: Array<string>(20).fill("IPv4") }],
  ["output with spaces", { output: "Socket: Connection refused" }],
  ["no output", { output: "" }],
  ["the longest output", { output: "x ".repeat(maxOutputLength / 2) }],
])("facts are accepted, and stay as they are: %s", (_, facts) => {
  expect(v.parse(codedFacts, finding(facts))).toEqual(finding(facts));
});

// Not visible, and halves of surrogate pairs.
const hidden = [...Array.from("\0\u001b\n\r\t\u007f\u0085\u200b\u202e\ufeff"), "\ud800", "\udc00"];
const blanks = Array.from(" \u00a0\u2003\u2028\u2029\u3000");

test.each([...hidden, ...blanks].map((text) => `a${text}b`))(
  "%j is no word, and no word of a list",
  (text) => {
    for (const facts of [{ host: text }, { families: ["IPv4", text] }, { output: [text] }])
      expect(isAccepted(finding(facts))).toBe(false);
    expect(readFacts(factsOf({ host: factKinds.word }), { host: text })).toBeNull();
    expect(readFacts(factsOf({ files: factKinds.words }), { files: [text] })).toBeNull();
  },
);

test("output contains no hidden character", () => {
  expect(hidden.filter((text) => isAccepted(finding({ output: `a${text}b` })))).toEqual([]);
});

test.each<[string, ...facts: unknown[]]>([
  ["a sentence that is no output", { reason: "The node has a problem." }, { Output: "a b" }],
  ["too long", { output: "x".repeat(maxOutputLength + 1) }, { files: ["x".repeat(256)] }],
  ["a list that is too long", { families: Array(21).fill("IPv4") }],
  ["a list of other values", { ports: [20_001] }, { families: [["IPv4"]] }],
  ["another value", { peering: { asn: "4242420001" } }, { host: undefined }],
  ["no number", { port: Number.NaN }, { port: Infinity }],
  [
    "another name",
    { "the host": "de01" },
    { "host-name": "de01" },
    { "": "de01" },
    { ["x".repeat(31)]: "de01" },
  ],
  ["no facts", null, undefined, "endpoint", ["endpoint"], 7],
])("facts are refused: %s", (_, ...refused) => {
  expect(refused.filter((facts) => isAccepted(finding(facts)))).toEqual([]);
});

test("a code has few letters and hyphens; one that the table lacks is accepted: the receiver decides what it means", () => {
  const refused = [
    "",
    "No handshake",
    "no handshake",
    "NO-HANDSHAKE",
    "no_handshake",
    "x".repeat(41),
    7,
    null,
  ];
  expect(refused.filter((code) => isAccepted(finding({}, code)))).toEqual([]);
  expect(isAccepted(finding({ anything: "x" }, "of-the-next-version-2"))).toBe(true);
});

test("a list has a limited length, and keeps what is right beside a wrong element", () => {
  const good = finding({ endpoint: "198.51.100.1:51820" });
  const isListAccepted = (length: number) => v.is(codedFactsList, Array(length).fill(good));
  expect([maxCodedFacts, maxCodedFacts + 1].map(isListAccepted)).toEqual([true, false]);
  const parsed = v.parse(codedFactsList, [good, finding({ endpoint: "a b" })]);
  expect(parsed).toEqual([good, { code: "invalid", facts: {} }]);
});

test("a key that is not own is no fact", () => {
  const sent: unknown = JSON.parse('{ "code": "a", "facts": { "__proto__": { "output": "x" } } }');
  const parsed = v.safeParse(codedFacts, sent);
  expect(parsed.success && Object.keys(parsed.output.facts)).not.toContain("__proto__");
  expect(({} as Record<string, unknown>)["output"]).toBeUndefined();
});

test("the facts of a row are read without those that it lacks, and not if one is missing or of another kind", () => {
  const { word, words, number, boolean, output, nullable } = factKinds;
  const row = factsOf({ word, words, number, boolean, output, nothing: nullable(number) });
  const facts = { word: "de01", words: ["a"], number: 1, boolean: true, output: "a b", nothing: null };
  expect(readFacts(row, { ...facts, unknown: "x" })).toEqual(facts);
  for (const name of Object.keys(facts))
    for (const value of [undefined, { text: "x" }])
      expect(readFacts(row, { ...facts, [name]: value })).toBeNull();
});
