import { randomBytes } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadCommonPasswordCheck } from "./common-passwords.ts";

const isCommon = loadCommonPasswordCheck([]);

test.each([
  "password",
  "Password1",
  "P@ssw0rd",
  "p4ssw0rd1234",
  "password123!",
  "passwordpassword",
  "!!password!!",
  "pass word",
  "12345678",
  "123456789012",
  "00000000",
  "19850412",
  "12.04.1985",
  "87654321",
  "qwertyuiop",
  "qwertzuiop",
  "1qaz2wsx",
  "1qaz2wsx3edc",
  "zaq12wsx",
  "asdf1234",
  "qweasdzxc",
  "1q2w3e4r5t",
  "aaaaaaaa",
  "abcabcabc",
  "abababab",
  "xyxyxyxyx",
  "iloveyou",
  "iloveyou2",
  "ILOVEYOU!!",
  "letmein1",
  "Welcome2026!",
  "Summer2026!",
  "Sommer2026",
  "dragonmonkey",
  "Michael1985",
  "trustno1",
  "changeme",
  "admin123",
  "dn42dn42",
  "dn42peering",
  "Wireguard1",
  "correcthorsebatterystaple",
  "qwertyqwerty",
  "football7",
  "baseball",
  "starwars1977",
  "password12345678",
  "AS password",
  "maverick",
  "Liverpool1",
  "12qwaszx",
  "fktrcfylh",
  "Cherokee2026!",
  "barbarian1",
  "        ",
  "password\u3000",
])("%j is common", (password) => {
  expect(isCommon(password)).toBe(true);
});

test.each([
  "correct horse battery staple lamp",
  "four random words here",
  "k9$Lm2qXvv",
  "Zebrafinken fressen Hirse",
  "dragon monkey football",
  "7g!pQ2zr",
  "31415926535897932384",
  "xkeyscore-teapot",
  "vier Wörter ohne Sinn",
  "日本語のパスワード",
])("%j is not common", (password) => {
  expect(isCommon(password)).toBe(false);
});

test("every leaked password that is long enough is common", () => {
  const passwords = dictionary["passwords-common"].filter(({ length }) => length >= 8);
  expect(passwords.length).toBeGreaterThan(3_000);
  expect(passwords.filter((password) => !isCommon(password.toUpperCase()))).toEqual([]);
});

test.each(["Quixnet2026!", "quixnetblenheim", "QUIXNET-Blenheim", "quixnet.example"])(
  "%j is common at a provider of this name",
  (password) => {
    expect(isCommon(password)).toBe(false);
    expect(loadCommonPasswordCheck(["Quixnet Blenheim", "quixnet.example"])(password)).toBe(true);
  },
);

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
