/** Keys and signatures that gpg does not make. Those of gpg are in tests/integration/accounts/proofs. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import * as pgp from "openpgp";
import { describe, expect, test } from "vitest";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import type { PgpKey } from "#server/registry/auth/auth-keys.ts";
import type { Verdict } from "../verify-proof.ts";
import {
  armour,
  createEd25519,
  mpi,
  packet,
  signatureType,
  type SignatureOptions,
  type WrittenKey,
  writeKey,
  writeSignature,
  writeSubkey,
  writeUser,
} from "./fixtures/pgp-writer.ts";
import { verifyWithLibrary } from "./verify-with-library.ts";

const text = "peerdeck example.net: register AS4242420001, until 2026-01-20T00:15:00Z, nonce 00";
const ada = createEd25519();
const other = createEd25519();

/** Verifies with a pasted public key. */
function verify(signature: Buffer, publicKey: Buffer, primary: WrittenKey = ada): Promise<Verdict> {
  return verifyWithLibrary(pgp, {
    text,
    armour: armour(signature, "SIGNATURE"),
    publicKey: armour(publicKey, "PUBLIC KEY BLOCK"),
    keys: [listed(primary)],
    now: Date.UTC(2026, 0, 20),
  });
}

function listed({ fingerprint }: WrittenKey): PgpKey {
  return { kind: "pgp", maintainer: "ADA-MNT", type: "pgp-fingerprint", fingerprint, publicKey: null };
}

function sign(key: WrittenKey, options: Partial<SignatureOptions> = {}): Buffer {
  return writeSignature(key, Buffer.from(text), { type: signatureType.binary, ...options });
}

const keyOf = (key: WrittenKey, ...more: readonly Buffer[]) => Buffer.concat([packet(6, key.body), ...more]);
const adasKey = keyOf(ada, writeUser(ada));
const accepted = { key: listed(ada) };
const refused = (code: ProofRefusal["code"]) => ({ refusal: expect.objectContaining({ code }) });

describe("keys and signatures", () => {
  const signingSubkey = () => writeSubkey(ada, other);
  test.each<[string, Buffer, Buffer, unknown]>([
    ["a primary key", sign(ada), adasKey, accepted],
    ["a subkey", sign(other), keyOf(ada, writeUser(ada), signingSubkey()), accepted],
    ["a primary key without flags", sign(ada), keyOf(ada, writeUser(ada, { flags: null })), accepted],
    [
      "a primary key that may only certify",
      sign(ada),
      keyOf(ada, writeUser(ada, { flags: 1 })),
      refused("no-signing-key"),
    ],
    ["a certification by another key", sign(ada), keyOf(ada, writeUser(other)), refused("uncertified-key")],
    [
      "a subkey that has not agreed",
      sign(other),
      keyOf(ada, writeUser(ada), writeSubkey(ada, other, { agrees: false })),
      refused("foreign-subkey"),
    ],
    [
      "a subkey that another key has bound",
      sign(other),
      keyOf(ada, writeUser(ada), writeSubkey(other, other)),
      refused("foreign-subkey"),
    ],
    [
      "a subkey that may only encrypt",
      sign(other),
      keyOf(ada, writeUser(ada), writeSubkey(ada, other, { flags: 12 })),
      refused("no-signing-key"),
    ],
    [
      "a subkey twice",
      sign(other),
      keyOf(ada, writeUser(ada), signingSubkey(), signingSubkey()),
      refused("foreign-subkey"),
    ],
    [
      "a subkey without a binding",
      sign(other),
      keyOf(ada, writeUser(ada), packet(14, other.body)),
      refused("foreign-subkey"),
    ],
    [
      "a signature of no text",
      writeSignature(ada, Buffer.alloc(0), { type: signatureType.standalone }),
      adasKey,
      refused("unreadable-signature"),
    ],
    [
      "the binding of a subkey",
      sign(ada, { type: signatureType.subkeyBinding }),
      adasKey,
      refused("unreadable-signature"),
    ],
    ["a signature of version 3", sign(ada, { version: 3 }), adasKey, refused("unsupported-version")],
    ["a signature of version 6", sign(ada, { version: 6 }), adasKey, refused("unsupported-version")],
    [
      "a key of version 6",
      sign(ada),
      packet(6, Buffer.concat([Buffer.of(6), ada.body.subarray(1)])),
      refused("unsupported-version"),
    ],
    [
      "a key of version 6 beside one of version 4",
      sign(ada),
      Buffer.concat([packet(6, Buffer.of(6)), adasKey]),
      accepted,
    ],
    ["two signatures", Buffer.concat([sign(ada), sign(ada)]), adasKey, refused("several-signatures")],
    ["a secret subkey", sign(ada), keyOf(ada, writeUser(ada), packet(7, other.body)), refused("private-key")],
    [
      "a message in a key",
      sign(ada),
      keyOf(ada, writeUser(ada), packet(8, Buffer.of(1, 3, 0))),
      refused("unreadable-public-key"),
    ],
    [
      "a packet with an unknown length",
      sign(ada),
      Buffer.concat([adasKey, Buffer.of(0xd1, 0xe1, 0, 0)]),
      refused("unreadable-public-key"),
    ],
    [
      "a zero signature",
      sign(ada, { numbers: [Buffer.alloc(32), Buffer.alloc(32)] }),
      adasKey,
      refused("wrong-signature"),
    ],
    [
      "a signature by another key in Ada's name",
      sign({ ...other, fingerprint: ada.fingerprint }),
      adasKey,
      refused("wrong-signature"),
    ],
  ])("%s", async (_, signature, publicKey, verdict) => {
    expect(await verify(signature, publicKey)).toEqual(verdict);
  });

  test("damaged keys and signatures are refused, or prove what the whole ones prove", async () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((values) => Buffer.from(values));
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    const damaged = (data: Buffer) =>
      change.map(([at, bits]) => {
        const copy = Buffer.from(data);
        const position = at % copy.length;
        copy.writeUInt8(copy.readUInt8(position) ^ bits, position);
        return copy;
      });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(bytes, damaged(sign(ada))),
        fc.oneof(bytes, damaged(adasKey), damaged(keyOf(ada, writeUser(ada), signingSubkey()))),
        async (signature, publicKey) => {
          // Some bytes do not matter: the number of bits before a number, or a part that is not signed.
          const expected = expect.toBeOneOf([accepted, { refusal: expect.anything() }]);
          expect(await verify(signature, adasKey)).toEqual(expected);
          expect(await verify(sign(other), publicKey)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const number = (length: number) => Buffer.concat([Buffer.of(0xff), randomBytes(length - 2), Buffer.of(1)]);
const rsa = (bytes: number, exponentBytes: number) =>
  writeKey(1, [mpi(number(bytes)), mpi(number(exponentBytes))], () => [Buffer.alloc(bytes, 0x7f)]);
const fill = (data: Buffer, unit: Buffer) =>
  Buffer.concat([data, ...Array<Buffer>(Math.floor((72_000 - data.length) / unit.length)).fill(unit)]);

describe("hostile input is refused at once", () => {
  /** What `head -c 1G /dev/zero | bzip2` prints. */
  const gigabyte = readFileSync(join(import.meta.dirname, "fixtures/gigabyte-of-zeros.bz2"));
  const compressed = packet(8, Buffer.concat([Buffer.of(3), gigabyte]));
  // OpenSSL has no RSA with it, so that the library computes the signature itself.
  const hash = [11, "sha224"] as const;
  const slow = rsa(2048, 2048);
  const long = rsa(8000, 8000);
  const huge = rsa(8000, 3);
  const dsa = writeKey(
    17,
    [2048, 256, 2048, 2048].map((length) => mpi(number(length))),
    () => [number(255), number(255)],
  );
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "secp521r1" }).publicKey.export({
    format: "jwk",
  });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const p521 = writeKey(19, [Buffer.from("052b81040023", "hex"), mpi(point)], () => [number(65), number(65)]);
  const certification = writeUser(p521).subarray(packet(13, Buffer.from("<ada@example.net>")).length);
  const bind = (embedded?: Buffer) =>
    writeSignature(ada, Buffer.alloc(0), {
      type: signatureType.subkeyBinding,
      ...(embedded && { embedded }),
    });
  let nested = bind();
  while (nested.length < 60_000) nested = bind(nested.subarray(6));

  test.each<[string, WrittenKey, Buffer, Buffer, ProofRefusal["code"]]>([
    ["a compressed gigabyte as a signature", ada, compressed, adasKey, "encrypted-message"],
    ["a compressed gigabyte as a key", ada, sign(ada), compressed, "unreadable-public-key"],
    [
      "a compressed gigabyte in a key",
      ada,
      sign(ada),
      keyOf(ada, writeUser(ada), compressed),
      "unreadable-public-key",
    ],
    [
      "RSA with a long exponent",
      slow,
      sign(slow, { hash }),
      keyOf(slow, writeUser(slow, { hash })),
      "unsupported-key",
    ],
    [
      "RSA of 64,000 bits",
      long,
      sign(long, { hash }),
      keyOf(long, writeUser(long, { hash })),
      "unsupported-key",
    ],
    [
      "RSA of 64,000 bits and a short exponent",
      huge,
      sign(huge),
      keyOf(huge, writeUser(huge)),
      "unsupported-key",
    ],
    [
      "a subkey of such a key",
      slow,
      sign(ada),
      keyOf(slow, writeUser(slow), writeSubkey(slow, ada)),
      "unsupported-key",
    ],
    [
      "such a subkey",
      ada,
      sign(slow, { hash }),
      keyOf(ada, writeUser(ada), writeSubkey(ada, slow)),
      "unsupported-key",
    ],
    [
      "DSA of 16,384 bits",
      dsa,
      sign({ ...dsa, algorithm: 22 }),
      keyOf(dsa, writeUser(dsa)),
      "unsupported-key",
    ],
    [
      "198 false certifications",
      p521,
      sign(p521),
      keyOf(p521, writeUser(p521), ...Array<Buffer>(197).fill(certification)),
      "uncertified-key",
    ],
    ["many subkeys", ada, sign(ada), fill(adasKey, packet(14, ada.body)), "large-public-key"],
    ["tiny subkeys", ada, sign(ada), fill(adasKey, Buffer.of(0xce, 1, 4)), "large-public-key"],
    ["empty user IDs", ada, sign(ada), fill(adasKey, Buffer.of(0xcd, 0)), "large-public-key"],
    ["many keys", ada, sign(ada), fill(adasKey, adasKey), "large-public-key"],
    ["tiny keys", ada, sign(ada), fill(Buffer.alloc(0), Buffer.of(0xc6, 1, 4)), "large-public-key"],
    ["empty markers", ada, sign(ada), fill(Buffer.alloc(0), Buffer.of(0xca, 0)), "unreadable-public-key"],
    ["unknown packets", ada, sign(ada), fill(adasKey, Buffer.of(0xfc, 0)), "unreadable-public-key"],
    ["a signature in a signature, again and again", ada, nested, adasKey, "unreadable-signature"],
    ["many signatures", ada, fill(sign(ada), sign(ada)), adasKey, "several-signatures"],
  ])(
    "%s",
    async (_, primary, signature, publicKey, code) => {
      expect(await verify(signature, publicKey, primary)).toEqual(refused(code));
    },
    10_000,
  );
});
