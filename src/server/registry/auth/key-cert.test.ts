import { generateKey, readKey } from "openpgp";
import { beforeAll, expect, test } from "vitest";
import { parseRpsl } from "../objects.ts";
import { readKeyCert } from "./key-cert.ts";

interface Generated {
  readonly armour: string;
  readonly bytes: Uint8Array;
  readonly fingerprint: string;
}

const userIDs = [{ name: "Ada Example", email: "ada@example.net" }];

async function generate(options: Partial<Parameters<typeof generateKey>[0]> = {}): Promise<Generated> {
  const { publicKey: armour } = await generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs,
    ...options,
    format: "armored",
  });
  const key = await readKey({ armoredKey: armour });
  return { armour, bytes: key.write(), fingerprint: key.getFingerprint().toUpperCase() };
}

let ada: Generated;
let bram: Generated;
let rsa: Generated;
let newest: Generated;

beforeAll(async () => {
  [ada, bram, rsa, newest] = await Promise.all([
    generate(),
    generate(),
    generate({ type: "rsa", rsaBits: 2048 }),
    generate({ type: "curve25519", config: { v6Keys: true } }),
  ]);
});

/** A key-cert object with these lines in `certif:`. */
function createObject(lines: readonly string[], more = ""): string {
  return `key-cert: PGPKEY-0123ABCD\nmethod: PGP\n${more}\n${lines.map((line) => `certif: ${line}\n`).join("")}source: TEST\n`;
}

const linesOf = (armour: string) => armour.trim().split("\n");
const parse = (text: string) => readKeyCert(parseRpsl(text));
const begin = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const end = "-----END PGP PUBLIC KEY BLOCK-----";

/** The lines of an armour of these bytes. */
function armourOf(bytes: Uint8Array | readonly number[]): readonly string[] {
  const base64 = Buffer.from(bytes).toString("base64");
  return [begin, "", ...(base64.match(/.{1,64}/g) ?? []), end];
}

test("the fingerprint of a key is the one that OpenPGP.js computes", () => {
  for (const { armour, bytes, fingerprint } of [ada, rsa]) {
    expect(parse(createObject(linesOf(armour)))).toEqual({ publicKey: Buffer.from(bytes), fingerprint });
  }
});

test.each<[string, (armour: string) => string]>([
  ["continuation lines", (armour) => `certif: ${armour.trim().replaceAll("\n", "\n        ")}`],
  ["continuation lines with a plus", (armour) => `certif:\n${armour.trim().replaceAll(/^/gm, "+")}`],
  ["a plus for the empty line", (armour) => createObject(linesOf(armour).map((line) => line || "+"))],
  ["no empty line", (armour) => createObject(linesOf(armour).filter((line) => line !== ""))],
  ["no checksum", (armour) => createObject(linesOf(armour).filter((line) => !line.startsWith("=")))],
  [
    "headers",
    (armour) =>
      createObject(
        linesOf(armour).toSpliced(1, 0, "Version: GnuPG v2", "Comment: see https://example.net/#key"),
      ),
  ],
  ["blanks and Windows line ends", (armour) => createObject(linesOf(armour).map((line) => `   ${line} \r`))],
  ["another fingerprint in the object", (armour) => createObject(linesOf(armour), "fingerpr: 00 11")],
])("a key with %s is read", (_, render) => {
  expect(parse(render(ada.armour))).toMatchObject({ fingerprint: ada.fingerprint });
});

test("of several keys, the one that the object names counts, and nothing of the others", () => {
  const lines = armourOf(Buffer.concat([bram.bytes, ada.bytes]));
  for (const { fingerprint, bytes } of [bram, ada]) {
    const spaced = fingerprint.toLowerCase().replaceAll(/(.{4})/g, "$1 ");
    const found = parse(createObject(lines, `fingerpr: ${spaced}`));
    expect(found).toEqual({ publicKey: Buffer.from(bytes), fingerprint });
  }
  expect(parse(createObject(lines))).toBe("unreadable");
  expect(parse(createObject(lines, `fingerpr: ${"0".repeat(40)}`))).toBe("unreadable");
});

test("a packet may have a length of one, two or four bytes in either format", () => {
  const [, length = 0] = ada.bytes;
  const body = ada.bytes.subarray(2, 2 + length);
  const rest = ada.bytes.subarray(2 + length);
  const headers = [
    [0x98, length],
    [0x99, 0, length],
    [0x9a, 0, 0, 0, length],
    [0xc6, length],
    [0xc6, 255, 0, 0, 0, length],
  ];
  for (const header of headers) {
    const found = parse(createObject(armourOf(Buffer.concat([Buffer.from(header), body, rest]))));
    expect(found).toMatchObject({ fingerprint: ada.fingerprint });
  }
});

test("the version of a key that is too old or too new is said", () => {
  expect(parse(createObject(linesOf(newest.armour)))).toEqual({ version: 6 });
  expect(parse(createObject(armourOf([0x98, 2, 3, 0])))).toEqual({ version: 3 });
});

test.each<[string, () => readonly string[]]>([
  ["nothing", () => []],
  ["text without an armour", () => ["MIGfMA0GCSqGSIb3DQEBAQUAA4GN"]],
  ["an empty armour", () => [begin, end]],
  ["an armour without its end", () => linesOf(ada.armour).slice(0, -1)],
  ["an armour without its begin", () => linesOf(ada.armour).slice(1)],
  ["an armour upside down", () => linesOf(ada.armour).toReversed()],
  ["two armours", () => [...linesOf(ada.armour), ...linesOf(ada.armour)]],
  ["a lost line", () => linesOf(ada.armour).toSpliced(3, 1)],
  ["half a key", () => armourOf(ada.bytes.subarray(0, ada.bytes.length - 1))],
  ["a byte more", () => armourOf(Buffer.concat([ada.bytes, Buffer.alloc(1)]))],
  ["a packet before the key", () => armourOf(Buffer.concat([Buffer.from([0xcd, 1, 65]), ada.bytes]))],
  ["a private key", () => linesOf(ada.armour).map((line) => line.replace("PUBLIC", "PRIVATE"))],
  ["a private key in a public armour", () => armourOf(Buffer.concat([ada.bytes, Buffer.from([0xc7, 1, 4])]))],
  ["a packet of no fixed length", () => armourOf([0x9b, 4, 0, 0])],
  ["a packet in parts", () => armourOf([0xc6, 0xe1, 0, 0, 0, 1, 4])],
  ["a packet of 4 GB", () => armourOf([0xc6, 0xff, 0xff, 0xff, 0xff, 0xff, 4])],
  [
    "a primary key of 64 KB",
    () => armourOf(Buffer.concat([Buffer.from([0xc6, 255, 0, 1, 0, 0, 4]), Buffer.alloc(65_535)])),
  ],
  ["no base64", () => [begin, "", "ä", end]],
])("an object with %s has no readable key", (_, lines) => {
  expect(parse(createObject(lines()))).toBe("unreadable");
});

test("a key that was changed has another fingerprint", () => {
  const changed = ada.bytes.with(10, (ada.bytes[10] ?? 0) ^ 1);
  expect(parse(createObject(armourOf(changed)))).not.toMatchObject({ fingerprint: ada.fingerprint });
});
