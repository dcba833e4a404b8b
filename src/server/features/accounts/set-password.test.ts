import { expect, test } from "vitest";
import { checkPassword } from "./set-password.ts";

const asn = "4242420001";
const isPublic = "Your AS number is public. Choose something else.";

test.each([
  ["", "Use at least 8 characters; 15 or a sentence is better."],
  ["1234567", "Use at least 8 characters; 15 or a sentence is better."],
  // Seven characters in 28 bytes.
  ["🦊".repeat(7), "Use at least 8 characters; 15 or a sentence is better."],
  ["a".repeat(1025), "Use at most 1024 characters."],
  ["abcdefgh\uD800", "The password contains a broken character. Type it again."],
  [asn, isPublic],
  [`as${asn}`, isPublic],
  [`AS${asn}`, isPublic],
])("%j is rejected", (password, message) => {
  expect(checkPassword(password, asn)).toBe(message);
});

test("any other password of eight characters is accepted", () => {
  const passwords = ["12345678", "🦊".repeat(8), "a".repeat(1024), " spaces count ", `${asn}!`];
  expect(passwords.filter((password) => checkPassword(password, asn) !== null)).toEqual([]);
});
