import { generateKeyPairSync } from "node:crypto";
import { generateKey, readKey } from "openpgp";
import { expect, test } from "vitest";
import { describeAuthProblem } from "#domain/proofs/auth-problems.ts";
import { formatSshKey } from "../fixtures/ssh-wire.ts";
import { parseRpsl, type ReadObject } from "../objects.ts";
import { readAuthKeys } from "./read-auth-keys.ts";

function readFrom(files: Readonly<Record<string, string>>): ReadObject {
  return async (kind, name) => {
    const text = files[`${kind}/${name}`];
    return text === undefined ? null : parseRpsl(text);
  };
}

const find = (
  files: Readonly<Record<string, string>>,
  autNum = "mnt-by: ADA-MNT",
  registryMaintainers: readonly string[] = [],
) => readAuthKeys(readFrom(files), parseRpsl(autNum), registryMaintainers);

/** The result for these values of `auth:` in one maintainer. */
const findIn = (...values: readonly string[]) =>
  find({ "mntner/ADA-MNT": values.map((value) => `auth: ${value}`).join("\n") });

function createSshKey(): string {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return formatSshKey("ssh-ed25519", Buffer.from(x, "base64url"));
}

const ssh = createSshKey();
const other = createSshKey();
const hex = "0123456789ABCDEF0123456789ABCDEF01234567";

test.each([
  ["a comment", `${ssh} ada@example.net`],
  ["a comment with a hash", `${ssh} ada#laptop ${other}`],
  ["a comment in RPSL at once", `${ssh}# ada@example.net`],
  ["more blanks", ` \t ${ssh.replace(" ", " \t ")}  `],
  ["the type in upper case", ssh.replace("ssh-ed25519", "SSH-Ed25519")],
  ["a continuation line", ssh.replace(" ", "\n  ")],
  ["a second key behind it", `${ssh}\n  ${other}`],
])("an SSH key with %s is read", async (_, value) => {
  const { keys, unusable } = await findIn(value);
  expect(keys).toEqual([
    {
      kind: "ssh",
      maintainer: "ADA-MNT",
      type: "ssh-ed25519",
      fingerprint: expect.stringContaining("SHA256:"),
      publicKey: Buffer.from(ssh.split(" ")[1] ?? "", "base64"),
    },
  ]);
  expect(unusable).toEqual([]);
});

test.each([
  ["", hex],
  ["in lower case", hex.toLowerCase()],
  ["in groups", hex.replaceAll(/(.{4})/g, "$1 ")],
  ["with 0x", `0x${hex}`],
  ["and a comment", `${hex} ada@example.net`],
  ["and a comment that looks like digits", `${hex} Ada`],
  ["and a comment in RPSL", `${hex} # laptop`],
])("a PGP fingerprint %s is read", async (_, digits) => {
  expect(await findIn(`PGP-Fingerprint ${digits}`)).toEqual({
    keys: [
      { kind: "pgp", maintainer: "ADA-MNT", type: "pgp-fingerprint", fingerprint: hex, publicKey: null },
    ],
    unusable: [],
  });
});

test.each([
  ["", { code: "empty-line" }],
  ["# only a comment", { code: "empty-line" }],
  ["ssh-dss AAAAB3NzaC1kc3MAAACB", { code: "unsupported-type", type: "ssh-dss" }],
  ["MD5-PW $1$abc$def", { code: "unsupported-type", type: "MD5-PW" }],
  ["CRYPT-PW abc", { code: "unsupported-type", type: "CRYPT-PW" }],
  ["PGP-0123ABCD", { code: "unsupported-type", type: "PGP-0123ABCD" }],
  ["X509-1", { code: "unsupported-type", type: "X509-1" }],
  ["PGPKEY-", { code: "unsupported-type", type: "PGPKEY-" }],
  ["ssh-ed5519 AAAA", { code: "unsupported-type", type: "ssh-ed5519" }],
  [ssh.split(" ")[1] ?? "", { code: "unsupported-type", type: expect.stringMatching(/^AAAA\S{55}…$/) }],
  [ssh.replace(" ", "\u{a0}\u{200b}"), { code: "unreadable-key", type: "ssh-ed25519" }],
  ["ssh-ed25519", { code: "unreadable-key", type: "ssh-ed25519" }],
  [`ssh-ed25519 ada ${ssh}`, { code: "unreadable-key", type: "ssh-ed25519" }],
  [ssh.replace("AAAA", "BBBB"), { code: "unreadable-key", type: "ssh-ed25519" }],
  [ssh.slice(0, -4), { code: "unreadable-key", type: "ssh-ed25519" }],
  ["pgp-fingerprint 0123ABCD", { code: "short-fingerprint", digits: 8 }],
  ["pgp-fingerprint 0x0123456789ABCDEF", { code: "short-fingerprint", digits: 16 }],
  [`pgp-fingerprint ${hex.slice(1)}`, { code: "short-fingerprint", digits: 39 }],
  [`pgp-fingerprint ${hex}0`, { code: "unreadable-fingerprint" }],
  [`pgp-fingerprint ${hex.slice(0, 32)} ${hex}`, { code: "unreadable-fingerprint" }],
  [`pgp-fingerprint ${hex}${hex.slice(0, 24)}`, { code: "unreadable-fingerprint" }],
  ["pgp-fingerprint", { code: "unreadable-fingerprint" }],
  [`pgp-fingerprint Mine ${hex}`, { code: "unreadable-fingerprint" }],
  ["PGPKEY-0123ABCD", { code: "no-key-cert", name: "PGPKEY-0123ABCD" }],
  ["pgpkey-../../mntner/ADA-MNT", { code: "no-key-cert", name: "PGPKEY-../../MNTNER/ADA-MNT" }],
])("the line %j is named, and the key behind it is found", async (value, problem) => {
  const { keys, unusable } = await findIn(value, ssh);
  expect(unusable).toEqual([{ maintainer: "ADA-MNT", line: expect.any(String), problem }]);
  expect(keys).toHaveLength(1);
});

test("a line is shortened, and shows only printable characters", async () => {
  const values = [`ssh-dss ${"A".repeat(100_000)}`, "x\u{202e}\u{7}\u{1f600}y \t z", "\n  MD5-PW\n  $1$"];
  const { unusable } = await findIn(...values);
  expect(unusable.map(({ line }) => line)).toEqual([`ssh-dss ${"A".repeat(51)}…`, "x?y z", "MD5-PW $1$"]);
  const texts = unusable.map(({ problem }) => describeAuthProblem(problem)).join("");
  expect(texts).toMatch(/^[\x20-\x7e]+$/);
});

async function createPgpKey() {
  const { publicKey } = await generateKey({ userIDs: [{ name: "Ada" }], format: "armored" });
  const fingerprint = (await readKey({ armoredKey: publicKey })).getFingerprint().toUpperCase();
  const lines = publicKey.trim().split("\n");
  return { fingerprint, object: lines.map((line) => `certif: ${line}`).join("\n") };
}

test("a key-cert object has the public key, also if the fingerprint is listed before or behind it", async () => {
  const { fingerprint, object } = await createPgpKey();
  const expected = {
    kind: "pgp",
    maintainer: "ADA-MNT",
    type: "PGPKEY-0123ABCD",
    fingerprint,
    publicKey: expect.any(Uint8Array),
  };
  const lines = ["auth: pgpkey-0123abcd", `auth: pgp-fingerprint ${fingerprint}`];
  for (const order of [lines, lines.toReversed()]) {
    const found = await find({ "mntner/ADA-MNT": order.join("\n"), "key-cert/PGPKEY-0123ABCD": object });
    expect(found).toEqual({ keys: [expected], unusable: [] });
  }
});

test.each([
  ["certif: MIGfMA0GCSqGSIb3DQEBAQUAA4GN", { code: "unreadable-key-cert", name: "PGPKEY-0123ABCD" }],
  [
    "certif: -----BEGIN PGP PUBLIC KEY BLOCK-----\ncertif: mAIDAA==\ncertif: -----END PGP PUBLIC KEY BLOCK-----",
    { code: "other-pgp-version", name: "PGPKEY-0123ABCD", version: 3 },
  ],
])("a key-cert object %j is named", async (object, problem) => {
  const files = { "mntner/ADA-MNT": "auth: PGPKEY-0123ABCD", "key-cert/PGPKEY-0123ABCD": object };
  expect(await find(files)).toEqual({
    keys: [],
    unusable: [{ maintainer: "ADA-MNT", line: "PGPKEY-0123ABCD", problem }],
  });
});

test("the same key of two maintainers is listed once, with the first", async () => {
  const files = { "mntner/ADA-MNT": `auth: ${ssh}`, "mntner/BRAM-MNT": `auth: ${ssh} b\nauth: ${other}` };
  const { keys } = await find(files, "mnt-by: ada-mnt, BRAM-MNT\nmnt-by: ADA-MNT");
  expect(keys.map(({ maintainer }) => maintainer)).toEqual(["ADA-MNT", "BRAM-MNT"]);
});

test("only maintainers of the aut-num count, and none that keeps the registry", async () => {
  const files = {
    "mntner/ADA-MNT": `auth: ${ssh}\nmnt-by: BRAM-MNT`,
    "mntner/BRAM-MNT": `auth: ${other}`,
    "mntner/DN42-MNT": `auth: ${other}`,
    "mntner/KEEPER-MNT": `auth: ${other}`,
    "organisation/ORG-ADA": "mnt-by: BRAM-MNT",
    "person/ADA-DN42": "mnt-by: BRAM-MNT",
  };
  const autNum =
    "org: ORG-ADA\nadmin-c: ADA-DN42\nmnt-lower: BRAM-MNT\nmnt-by: DN42-MNT, keeper-mnt\nmnt-by: GONE-MNT\nmnt-by: ADA-MNT";
  const { keys } = await find(files, autNum, ["KEEPER-MNT"]);
  expect(keys.map(({ maintainer }) => maintainer)).toEqual(["ADA-MNT"]);
  expect((await find(files, autNum)).keys.map(({ maintainer }) => maintainer)).toEqual([
    "KEEPER-MNT",
    "ADA-MNT",
  ]);
});

test("an AS without a maintainer, and a maintainer without a key, have none", async () => {
  const nothing = { keys: [], unusable: [] };
  expect(await find({}, "as-name: ADA-AS")).toEqual(nothing);
  expect(await find({ "mntner/ADA-MNT": "mntner: ADA-MNT" })).toEqual(nothing);
  expect(await find({ "mntner/ADA-MNT": "remarks: auth: none" })).toEqual(nothing);
});

test("very many lines and maintainers are not read, which does not hide keys of the next maintainer", async () => {
  const reads: string[] = [];
  const files: Record<string, string> = {
    "mntner/M0": `${"auth: PGPKEY-0\n".repeat(5_000)}auth: ${ssh}`,
    "mntner/M1": `auth: ${other}`,
  };
  const autNum = parseRpsl(`mnt-by: ${Array.from({ length: 500 }, (_, index) => `M${index}`).join(" ")}`);
  const read: ReadObject = async (kind, name) => {
    reads.push(name);
    return readFrom(files)(kind, name);
  };
  const { keys, unusable } = await readAuthKeys(read, autNum, []);
  expect(keys.map(({ maintainer }) => maintainer)).toEqual(["M1"]);
  expect(unusable).toHaveLength(25);
  expect(unusable.at(-1)).toEqual({
    maintainer: "M0",
    line: "PGPKEY-0",
    problem: { code: "too-many-lines", max: 24 },
  });
  expect(reads.length).toBeLessThan(40);
});
