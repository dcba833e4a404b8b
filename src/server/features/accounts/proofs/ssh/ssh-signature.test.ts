import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readSshSignature } from "./ssh-signature.ts";

const string = (value: Buffer | string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value as string)]);
};
const inner = (algorithm: string, tail = "") =>
  string(Buffer.concat([string(algorithm), string("signature"), Buffer.from(tail)]));
const rsa = (modulus: Buffer) =>
  string(Buffer.concat([string("ssh-rsa"), string("\u0001\0\u0001"), string(modulus)]));
const join = (...fields: readonly Buffer[]) => Buffer.concat([Buffer.from("SSHSIG\0\0\0\u0001"), ...fields]);
const armour = (bytes: Buffer) =>
  `-----BEGIN SSH SIGNATURE-----\n${bytes.toString("base64").replaceAll(/.{70}/g, "$&\n")}\n-----END SSH SIGNATURE-----\n`;
const rest = (signature: Buffer) => [string("file"), string(""), string("sha512"), signature];

test.each([
  [Buffer.concat([Buffer.of(0, 0x80), Buffer.alloc(255)]), 2048],
  [Buffer.concat([Buffer.of(0x7f), Buffer.alloc(255)]), 2047],
  [Buffer.concat([Buffer.of(0x01), Buffer.alloc(128)]), 1025],
  [Buffer.alloc(300), 0],
  [Buffer.alloc(0), 0],
])("counts the bits of an RSA key (case %#)", (modulus, bits) => {
  const bytes = join(rsa(modulus), ...rest(inner("rsa-sha2-512")));
  expect(readSshSignature(armour(bytes))).toMatchObject({
    keyType: "ssh-rsa",
    rsaBits: bits,
    namespace: "file",
    hash: "sha512",
    algorithm: "rsa-sha2-512",
    isUserPresent: null,
  });
});

test.each([
  ["\u0000", false],
  ["\u0001", true],
  ["\u0004", false],
  ["\u0005", true],
])("reads the flags %j of a security key", (flags, isUserPresent) => {
  const type = "sk-ssh-ed25519@openssh.com";
  const bytes = join(string(string(type)), ...rest(inner(type, `${flags}\0\0\0\u0001`)));
  expect(readSshSignature(armour(bytes))).toMatchObject({ keyType: type, rsaBits: null, isUserPresent });
});

test("refuses each part of a signature, and each one with something behind it", () => {
  const bytes = join(string(string("ssh-ed25519")), ...rest(inner("ssh-ed25519")));
  expect(readSshSignature(armour(bytes))).not.toBeNull();
  for (let length = 0; length < bytes.length; length += 1)
    expect(readSshSignature(armour(bytes.subarray(0, length)))).toBeNull();
  expect(readSshSignature(armour(Buffer.concat([bytes, Buffer.of(0)])))).toBeNull();
  expect(readSshSignature(armour(bytes).replace("U1NI", "U1N I"))).toBeNull();
  expect(readSshSignature(armour(bytes).replace("U1NI", "U1N-"))).toBeNull();
});

test("reads any bytes, and any change of a signature, without an error", () => {
  const bytes = join(rsa(Buffer.alloc(256, 1)), ...rest(inner("rsa-sha2-512")));
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(bytes.length - 1),
      fc.nat(255),
      (other, at, value) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        for (const each of [Buffer.from(other), join(Buffer.from(other)), changed])
          readSshSignature(armour(each));
      },
    ),
  );
  expect(readSshSignature("")).toBeNull();
});
