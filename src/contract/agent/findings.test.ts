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
  ["no facts", {}],
  ["an address", { endpoint: "[2001:db8::1]:51820" }],
  ["an empty word", { output: "", state: "" }],
  ["the longest word", { host: "x".repeat(255) }],
  ["a word of letters beyond ASCII", { host: "größe.例え" }],
  ["numbers", { ageSeconds: 181, port: 0, change: -1.5 }],
  ["true, false and null", { isInvalid: true, hasExtendedNextHop: false, minutes: null }],
  ["a list of words", { families: ["IPv4", "IPv6"] }],
  ["an empty list", { families: [] }],
  ["the longest list", { families: Array<string>(20).fill("IPv4") }],
  ["output with spaces", { output: "Socket: Connection refused" }],
  ["the longest output", { output: "x ".repeat(maxOutputLength / 2) }],
])("%s is accepted, and stays as it is", (_, facts) => {
  expect(v.parse(codedFacts, finding(facts))).toEqual(finding(facts));
});

// Not visible, and halves of surrogate pairs.
const forbiddenInOutput = Array.from("\0\u001b\n\r\t\u007f\u0085\u200b\u202e\ufeff").concat(
  "\ud800",
  "\udc00",
);
const forbiddenInWords = forbiddenInOutput.concat(Array.from(" \u00a0\u2003\u2028\u2029\u3000"));

test.each(forbiddenInWords.map((text) => `a${text}b`))(
  "a word with %j is refused, alone and in a list",
  (text) => {
    expect(isAccepted(finding({ host: text }))).toBe(false);
    expect(isAccepted(finding({ families: ["IPv4", text] }))).toBe(false);
    expect(isAccepted(finding({ output: [text] }))).toBe(false);
    expect(readFacts(factsOf({ host: factKinds.word }), { host: text })).toBeNull();
    expect(readFacts(factsOf({ files: factKinds.words }), { files: [text] })).toBeNull();
  },
);

test.each(forbiddenInOutput.map((text) => `a${text}b`))("output with %j is refused", (text) => {
  expect(isAccepted(finding({ output: text }))).toBe(false);
});

test.each<[string, unknown]>([
  ["a sentence in a fact that is no output", { reason: "The node has a problem." }],
  ["a sentence in a fact whose name is almost that of output", { Output: "a b" }],
  ["output that is too long", { output: "x".repeat(maxOutputLength + 1) }],
  ["a list that is too long", { families: Array<string>(21).fill("IPv4") }],
  ["a list of a million words", { families: Array<string>(1_000_000).fill("x") }],
  ["a list of numbers", { ports: [20_001] }],
  ["a list in a list", { families: [["IPv4"]] }],
  ["a word of a list that is too long", { files: ["x".repeat(256)] }],
  ["an object", { peering: { asn: "4242420001" } }],
  ["no number", { port: Number.NaN }],
  ["an infinite number", { port: Infinity }],
  ["undefined", { host: undefined }],
  ["a name with a space", { "the host": "de01" }],
  ["a name with other characters", { "host-name": "de01" }],
  ["an empty name", { "": "de01" }],
  ["a name that is too long", { ["x".repeat(31)]: "de01" }],
])("%s is refused", (_, facts) => {
  expect(isAccepted(finding(facts))).toBe(false);
});

test.each([null, undefined, "endpoint", ["endpoint"], 7])("%j instead of facts is refused", (facts) => {
  expect(isAccepted(finding(facts))).toBe(false);
});

test.each(["", "No handshake", "no handshake", "NO-HANDSHAKE", "no_handshake", "x".repeat(41), 7, null])(
  "the code %j is refused",
  (code) => {
    expect(isAccepted(finding({}, code))).toBe(false);
  },
);

test("a code that the table lacks is accepted: the receiver decides what it means", () => {
  expect(isAccepted(finding({ anything: "x" }, "of-the-next-version-2"))).toBe(true);
});

test("a list has a limited length, and keeps what is right beside a wrong element", () => {
  const good = finding({ endpoint: "198.51.100.1:51820" });
  const list = Array(maxCodedFacts).fill(good) as unknown[];
  expect(v.is(codedFactsList, list)).toBe(true);
  expect(v.is(codedFactsList, [...list, good])).toBe(false);
  expect(v.is(codedFactsList, Array(100_000).fill(good))).toBe(false);
  expect(v.parse(codedFactsList, [good, finding({ endpoint: "a b" })])).toEqual([
    good,
    { code: "invalid", facts: {} },
  ]);
});

test("a key that is not own is no fact", () => {
  const sent = JSON.parse(
    '{ "code": "no-handshake", "facts": { "__proto__": { "output": "x" } } }',
  ) as unknown;
  const parsed = v.safeParse(codedFacts, sent);
  expect(parsed.success && Object.keys(parsed.output.facts)).not.toContain("__proto__");
  expect(({} as Record<string, unknown>)["output"]).toBeUndefined();
});

const row = factsOf({
  host: factKinds.word,
  files: factKinds.words,
  ageSeconds: factKinds.number,
  isInvalid: factKinds.boolean,
  output: factKinds.output,
  minutes: factKinds.nullable(factKinds.number),
});
const facts = { host: "de01", files: ["a"], ageSeconds: 1, isInvalid: true, output: "a b", minutes: null };

test("the facts of a row are read without those that it lacks", () => {
  expect(readFacts(row, facts)).toEqual(facts);
  expect(readFacts(row, { ...facts, unknown: "x" })).toEqual(facts);
});

test.each(Object.keys(facts))("facts whose %s is missing or of another kind are not read", (name) => {
  expect(readFacts(row, { ...facts, [name]: undefined })).toBeNull();
  expect(readFacts(row, { ...facts, [name]: { text: "x" } })).toBeNull();
});
