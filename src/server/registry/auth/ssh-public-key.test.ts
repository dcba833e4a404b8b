import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { encodeFields, formatSshKey } from "../fixtures/ssh-wire.ts";
import { isSshKeyType, readSshPublicKey } from "./ssh-public-key.ts";

/** Reads a line `type base64`. */
function read(line: string) {
  const [type = "", base64 = ""] = line.split(" ");
  return readSshPublicKey(type, base64);
}

/** The public key of a new pair as JWK, whose numbers are these bytes. */
function createJwk(curve: "P-256" | "P-384" | "P-521" | "ed25519") {
  const { publicKey } =
    curve === "ed25519" ? generateKeyPairSync(curve) : generateKeyPairSync("ec", { namedCurve: curve });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return { x: Buffer.from(x, "base64url"), y: Buffer.from(y, "base64url") };
}

const ed25519 = createJwk("ed25519").x;

function createPoint(curve: "P-256" | "P-384" | "P-521"): Buffer {
  const { x, y } = createJwk(curve);
  return Buffer.concat([Buffer.from([4]), x, y]);
}

const p256 = createPoint("P-256");
const p384 = createPoint("P-384");
const p521 = createPoint("P-521");

/** An odd number of so many bits, as the wire format has it. */
function numberOf(bits: number): Buffer {
  const number = Buffer.alloc((bits >> 3) + 1, 0xff);
  number[0] = (1 << (bits & 7)) - 1;
  return number[0] === 0 || (number[0] ?? 0) < 0x80 ? number : Buffer.concat([Buffer.alloc(1), number]);
}

const e = Buffer.from([1, 0, 1]);
const n = numberOf(2048);

test("a key has the fingerprint that ssh-keygen -l prints", () => {
  const line =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH+60aOyIiIBtnlZKo4/i8uATKn0u8qcinNjNTgPvGg ada@example.net";
  expect(read(line)).toMatchObject({ fingerprint: "SHA256:FXV5DglyOFg78rEDUXNLEqyo1iokRBuWMkx++32AAe8" });
});

test.each([
  ["ssh-ed25519", [ed25519]],
  ["ssh-rsa", [e, n]],
  ["ssh-rsa", [Buffer.from([3]), numberOf(16_384)]],
  ["ecdsa-sha2-nistp256", ["nistp256", p256]],
  ["ecdsa-sha2-nistp384", ["nistp384", p384]],
  ["ecdsa-sha2-nistp521", ["nistp521", p521]],
  ["sk-ssh-ed25519@openssh.com", [ed25519, "ssh:"]],
  ["sk-ecdsa-sha2-nistp256@openssh.com", ["nistp256", p256, "ssh:router"]],
] as const)("a key of the type %s is read", (type, fields) => {
  const found = read(formatSshKey(type, ...fields));
  expect(found).toEqual({
    fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
    publicKey: encodeFields(type, ...fields),
  });
});

test.each(["ssh-dss", "ssh-rsa-cert-v01@openssh.com", "ssh-ed25519 ", "ed25519", "constructor", ""])(
  "%j is no type of keys that are accepted",
  (type) => {
    expect(isSshKeyType(type)).toBe(false);
  },
);

test.each([
  [2047, "short-rsa-key"],
  [1024, "short-rsa-key"],
  [16_385, "long-rsa-key"],
] as const)("an RSA key of %i bits is refused with its length", (bits, code) => {
  expect(read(formatSshKey("ssh-rsa", e, numberOf(bits)))).toMatchObject({ problem: { code, bits } });
});

const sound = formatSshKey("ssh-ed25519", ed25519);
const base64 = sound.slice("ssh-ed25519 ".length);
/** The same bytes, but the last character has a bit more than they need. */
const withUnusedBits = formatSshKey("ecdsa-sha2-nistp256", "nistp256", p256).replace(/.=$/, (end) =>
  String.fromCharCode(end.charCodeAt(0) + 1).concat("="),
);
const flipped = Buffer.from(p256.with(40, (p256[40] ?? 0) ^ 1));
/** SEC 1, section 2.3.3, has such forms, too. */
const hybrid = Buffer.from(p256).fill(6 + ((p256.at(-1) ?? 0) & 1), 0, 1);
const longer = Buffer.concat([p256.subarray(0, 33), Buffer.alloc(1), p256.subarray(33)]);
const compressed = Buffer.from(p256.subarray(0, 33)).fill(2, 0, 1);

test.each([
  ["no base64", "ssh-ed25519"],
  ["half of the base64", sound.slice(0, 40)],
  ["base64 without its last character", sound.slice(0, -1)],
  ["base64 with unused bits", withUnusedBits],
  ["base64url", `ssh-ed25519 ${"-_".repeat(34)}`],
  ["base64 in quotes", `ssh-ed25519 "${base64}"`],
  ["another type inside", `ssh-rsa ${base64}`],
  ["a type in upper case inside", formatSshKey("ssh-ed25519", ed25519).replace("AAAAC3N", "AAAAC1N")],
  ["a field more", formatSshKey("ssh-ed25519", ed25519, "")],
  [
    "bytes behind it",
    `ssh-ed25519 ${Buffer.concat([encodeFields("ssh-ed25519", ed25519), e]).toString("base64")}`,
  ],
  [
    "a length beyond its end",
    `ssh-ed25519 ${Buffer.concat([encodeFields("ssh-ed25519"), Buffer.from([0, 0, 0, 33]), ed25519]).toString("base64")}`,
  ],
  ["a length of 4 GB", `ssh-ed25519 ${Buffer.from("ffffffff00", "hex").toString("base64")}`],
  ["31 bytes", formatSshKey("ssh-ed25519", ed25519.subarray(1))],
  ["33 bytes", formatSshKey("ssh-ed25519", Buffer.concat([ed25519, Buffer.alloc(1)]))],
  ["an RSA key without a modulus", formatSshKey("ssh-rsa", e)],
  ["an RSA key with the exponent 1", formatSshKey("ssh-rsa", Buffer.from([1]), n)],
  ["an RSA key with the exponent 0", formatSshKey("ssh-rsa", "", n)],
  ["an RSA key with an even exponent", formatSshKey("ssh-rsa", Buffer.from([1, 0, 2]), n)],
  ["an RSA key with an exponent of nine bytes", formatSshKey("ssh-rsa", numberOf(71), n)],
  ["an RSA key with an even modulus", formatSshKey("ssh-rsa", e, n.with(n.length - 1, 0xfe))],
  ["an RSA key with a negative modulus", formatSshKey("ssh-rsa", e, n.subarray(1))],
  ["an RSA key with needless zeros", formatSshKey("ssh-rsa", e, Buffer.concat([Buffer.alloc(1), n]))],
  ["an RSA key with its numbers exchanged", formatSshKey("ssh-rsa", n, e)],
  ["a point beside the curve", formatSshKey("ecdsa-sha2-nistp256", "nistp256", flipped)],
  ["a compressed point", formatSshKey("ecdsa-sha2-nistp256", "nistp256", compressed)],
  ["a point that is written twice", formatSshKey("ecdsa-sha2-nistp256", "nistp256", hybrid)],
  ["a point with a zero more", formatSshKey("ecdsa-sha2-nistp256", "nistp256", longer)],
  ["the point at infinity", formatSshKey("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(1))],
  ["another curve's name", formatSshKey("ecdsa-sha2-nistp256", "nistp384", p256)],
  ["another curve's point", formatSshKey("ecdsa-sha2-nistp384", "nistp384", p256)],
  ["a hardware key without an application", formatSshKey("sk-ssh-ed25519@openssh.com", ed25519)],
  ["a hardware key of a web site", formatSshKey("sk-ssh-ed25519@openssh.com", ed25519, "example.net")],
  ["an application with a line break", formatSshKey("sk-ssh-ed25519@openssh.com", ed25519, "ssh:\n")],
])("%s is no whole key", (_, line) => {
  const [type] = line.split(" ");
  expect(read(line)).toEqual({ problem: { code: "unreadable-key", type } });
});

/** The y of the points of order 8 (RFC 7748's curve in the form of Edwards). */
const y8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";
const y8Negative = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";
const ff = "ff".repeat(30);

test.each([
  ["order 1", `01${"00".repeat(31)}`],
  ["order 2", `ec${ff}7f`],
  ["order 4", "00".repeat(32)],
  ["order 4, the other x", `${"00".repeat(31)}80`],
  ["order 8", y8],
  ["order 8, the other x", `${y8.slice(0, -2)}85`],
  ["order 8, the other y", y8Negative],
  ["order 8, both others", `${y8Negative.slice(0, -2)}fa`],
  ["order 1 plus the prime", `ee${ff}7f`],
  ["order 4 plus the prime", `ed${ff}7f`],
  ["the largest number", "ff".repeat(32)],
  ["no point, y = 2", `02${"00".repeat(31)}`],
])("an Ed25519 key that is a point of %s is refused", (_, hex) => {
  const line = formatSshKey("ssh-ed25519", Buffer.from(hex, "hex"));
  expect(read(line)).toEqual({ problem: { code: "unreadable-key", type: "ssh-ed25519" } });
});

test("a hundred new Ed25519 keys are usable", () => {
  const keys = Array.from({ length: 100 }, () => formatSshKey("ssh-ed25519", createJwk("ed25519").x));
  expect(keys.filter((key) => "problem" in read(key))).toEqual([]);
});
