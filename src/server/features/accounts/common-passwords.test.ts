import { randomBytes } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadCommonPasswordCheck } from "./common-passwords.ts";

const isCommon = loadCommonPasswordCheck([]);

test.each([
  ["with other letters", "password", "Password1", "P@ssw0rd", "p4ssw0rd1234", "password123!", "AS password"],
  ["within others", "passwordpassword", "!!password!!", "pass word", "password12345678", "password\u3000"],
  ["digits", "12345678", "123456789012", "00000000", "19850412", "12.04.1985", "87654321"],
  ["rows of keys", "qwertyuiop", "qwertzuiop", "asdf1234", "qwertyqwerty", "fktrcfylh"],
  ["columns of keys", "1qaz2wsx", "1qaz2wsx3edc", "zaq12wsx", "qweasdzxc", "1q2w3e4r5t", "12qwaszx"],
  ["repetitions", "aaaaaaaa", "abcabcabc", "abababab", "xyxyxyxyx", "        "],
  ["words", "iloveyou", "iloveyou2", "ILOVEYOU!!", "letmein1", "trustno1", "changeme", "admin123"],
  ["words", "maverick"],
  ["words with a number", "football7", "baseball", "starwars1977", "Liverpool1", "barbarian1", "Michael1985"],
  ["words with a year", "Welcome2026!", "Summer2026!", "Sommer2026", "Cherokee2026!"],
  ["several words", "dragonmonkey", "correcthorsebatterystaple", "dn42dn42", "dn42peering", "Wireguard1"],
])("common passwords: %s", (_, ...passwords) => {
  expect(passwords.filter((password) => !isCommon(password))).toEqual([]);
});

test.each([
  ["words", "correct horse battery staple lamp", "four random words here", "dragon monkey football"],
  [
    "other words",
    "Zebrafinken fressen Hirse",
    "xkeyscore-teapot",
    "vier Wörter ohne Sinn",
    "日本語のパスワード",
  ],
  ["characters", "k9$Lm2qXvv", "7g!pQ2zr", "31415926535897932384"],
])("other passwords: %s", (_, ...passwords) => {
  expect(passwords.filter(isCommon)).toEqual([]);
});

test("every leaked password that is long enough is common", () => {
  const passwords = dictionary["passwords-common"].filter(({ length }) => length >= 8);
  expect(passwords.length).toBeGreaterThan(3_000);
  expect(passwords.filter((password) => !isCommon(password.toUpperCase()))).toEqual([]);
});

test("a password with the name of a provider is common at a provider of this name", () => {
  const passwords = ["Quixnet2026!", "quixnetblenheim", "QUIXNET-Blenheim", "quixnet.example"];
  expect(passwords.filter(isCommon)).toEqual([]);
  const isCommonThere = loadCommonPasswordCheck(["Quixnet Blenheim", "quixnet.example"]);
  expect(passwords.filter(isCommonThere)).toEqual(passwords);
});

test("generated passwords are not common", () => {
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 48 }), (bytes) => {
      expect(isCommon(randomBytes(bytes).toString("base64url"))).toBe(false);
    }),
  );
});

test("any text can be checked", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 1024 }), (text) => void isCommon(text)));
});
