import { expect, test } from "vitest";
import { passwordFault } from "./password.ts";

const asn = "4242420001";
const known = "Your AS number is known to everybody. Choose something else.";

test.each([
  ["", "Use at least 8 characters; 15 or a sentence is better."],
  ["1234567", "Use at least 8 characters; 15 or a sentence is better."],
  // Seven characters in 28 bytes.
  ["🦊".repeat(7), "Use at least 8 characters; 15 or a sentence is better."],
  ["a".repeat(1025), "Use at most 1024 characters."],
  ["abcdefgh\uD800", "The password holds a broken character. Type it again."],
  [asn, known],
  [`as${asn}`, known],
  [`AS${asn}`, known],
])("%j is refused", (password, fault) => {
  expect(passwordFault(password, asn)).toBe(fault);
});

test.each(["12345678", "🦊".repeat(8), "a".repeat(1024), " spaces count ", `${asn}!`])(
  "%j is accepted",
  (password) => {
    expect(passwordFault(password, asn)).toBeNull();
  },
);
