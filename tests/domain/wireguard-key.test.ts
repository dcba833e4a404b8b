import { Buffer } from "node:buffer";
import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPrivateKeyForm, isBase64, isLowOrder, parseKey } from "../../src/domain/peering/wireguard-key.ts";
import { lowOrderKeys, nodeKey, validKey } from "../support/fixtures/hostile-input.ts";

function publicKeyOf(bytes: Uint8Array): KeyObject {
  const x = Buffer.from(bytes).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "X25519", x }, format: "jwk" });
}

const { privateKey } = generateKeyPairSync("x25519");
const derive = (key: Uint8Array) => () => diffieHellman({ privateKey, publicKey: publicKeyOf(key) });

test("32 bytes in base64 parse to the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(parseKey(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
    }),
  );
});

test("a key has exactly one valid text", () => {
  fc.assert(
    fc.property(fc.base64String({ minLength: 40, maxLength: 48 }), (text) => {
      const key = parseKey(text);
      expect(key === null || Buffer.from(key).toString("base64") === text).toBe(true);
    }),
  );
});

test("X25519 rejects the keys of low order, and no others", () => {
  const keys = [...lowOrderKeys, validKey, nodeKey].map((text) => parseKey(text) ?? new Uint8Array());
  expect(keys.map(isLowOrder)).toEqual([...lowOrderKeys.map(() => true), false, false]);
  for (const key of keys.filter(isLowOrder)) expect(derive(key)).toThrow(/deriv/i);
  for (const key of keys.slice(lowOrderKeys.length)) expect(derive(key)()).toHaveLength(32);
});

test("a key has the form of a private one if the five bits that X25519 fixes are fixed", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const fixed = Uint8Array.from(bytes);
      fixed[0] = (fixed[0] ?? 0) & 0b1111_1000;
      fixed[31] = ((fixed[31] ?? 0) & 0b0011_1111) | 0b0100_0000;
      const isFixed = Buffer.from(bytes).equals(fixed);
      expect(hasPrivateKeyForm(Buffer.from(fixed).toString("base64"))).toBe(true);
      expect(hasPrivateKeyForm(Buffer.from(bytes).toString("base64"))).toBe(isFixed);
    }),
  );
  expect(hasPrivateKeyForm("")).toBe(false);
});

test("base64 has whole groups of four characters", () => {
  const valid = ["AAAA", "AA==", "AAA="];
  const others = ["", "A", "AA", "AAA", "AA=A", "AAAA====", "AA==AAAA", "AAAA\n", "-_AA"];
  expect([...valid, ...others].filter(isBase64)).toEqual(valid);
});
