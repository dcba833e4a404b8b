import { createECDH, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { isBrowserKey, isBrowserSecret } from "./browser-keys.ts";

const ecdh = createECDH("prime256v1");
const point = ecdh.generateKeys();
const text = (bytes: Buffer) => bytes.toString("base64url");

function changed(index: number, value: number): Buffer {
  const bytes = Buffer.from(point);
  bytes[index] = value;
  return bytes;
}

test("a point on P-256 is a key", () => {
  expect(isBrowserKey(text(point))).toBe(true);
});

test.each<[string, string]>([
  ["nothing", ""],
  ["a compressed point", ecdh.getPublicKey("base64url", "compressed")],
  ["a hybrid point", ecdh.getPublicKey("base64url", "hybrid")],
  ["a point beside the curve", text(changed(64, (point[64] ?? 0) ^ 1))],
  ["a point at infinity", text(Buffer.alloc(65))],
  ["a point of zeros", text(changed(0, 4).fill(0, 1))],
  ["a point of another curve", text(createECDH("secp256k1").generateKeys())],
  ["a byte too few", text(point.subarray(0, 64))],
  ["a byte too many", text(Buffer.concat([point, Buffer.alloc(1)]))],
  ["padding", `${text(point)}=`],
  ["plain base64", Buffer.alloc(65, 0xff).toString("base64")],
  ["a space before it", ` ${text(point)}`],
])("%s is no key", (_, key) => {
  expect(isBrowserKey(key)).toBe(false);
});

test("16 bytes are a secret, and no other number", () => {
  expect(isBrowserSecret(text(randomBytes(16)))).toBe(true);
  for (const bytes of [0, 15, 17]) expect(isBrowserSecret(text(randomBytes(bytes)))).toBe(false);
  expect(isBrowserSecret(randomBytes(16).toString("base64"))).toBe(false);
});
