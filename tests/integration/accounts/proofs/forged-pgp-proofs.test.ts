/** Forged PGP signatures, and real ones of keys that do not count: each is refused with its sentence, and changes nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthKey } from "#server/registry/auth/auth-keys.ts";
import { splitPgpPackets, pgpTag, type PgpPacket } from "#server/registry/auth/pgp-packets.ts";
import { describeWithDatabase } from "#tests/support/databases.ts";
import { type Gnupg, openGnupg, toPgpKey } from "./gnupg.ts";
import { openProofScene, type ProofScene } from "./proof-scene.ts";

const asn = "4242420001";
const objects = { [`aut-num/AS${asn}`]: "mnt-by: ADA-MNT" };

const parts = new AsyncDisposableStack();
let gnupg: Gnupg;
/** Public keys, after revocations. */
let revoker: Gnupg;
const names = ["ada", "bob", "short", "dsa", "brainpool", "secp", "expired", "subkeys"] as const;
const primaries = new Map<string, string>();
const publicKeys = new Map<string, string>();
let [validSubkey, expiredSubkey, revokedSubkey] = ["", "", ""];

const keyOf = (name: (typeof names)[number]) => primaries.get(name) ?? "";
const publicKeyOf = (name: (typeof names)[number]) => publicKeys.get(name) ?? "";

beforeAll(async () => {
  gnupg = parts.use(await openGnupg());
  revoker = parts.use(await openGnupg());
  const algorithms = ["ed25519", "ed25519", "rsa1024", "dsa2048", "brainpoolP256r1", "secp256k1"] as const;
  for (const [index, algorithm] of algorithms.entries())
    primaries.set(names[index] ?? "", await gnupg.createKey(names[index] ?? "", algorithm));
  primaries.set("expired", await gnupg.createKey("expired", "ed25519", { expires: "seconds=3600" }));
  primaries.set("subkeys", await gnupg.createKey("subkeys", "ed25519", { usage: "cert" }));
  validSubkey = await gnupg.addSubkey(keyOf("subkeys"), "ed25519");
  expiredSubkey = await gnupg.addSubkey(keyOf("subkeys"), "ed25519", { expires: "seconds=3600" });
  revokedSubkey = await gnupg.addSubkey(keyOf("subkeys"), "ed25519");
  for (const name of names) publicKeys.set(name, await gnupg.exportKey(keyOf(name)));
});
afterAll(() => parts.disposeAsync());

/** The packets of an armour. */
function readPackets(armour: string): readonly PgpPacket[] {
  const base64 = /-----BEGIN [^]*?\n\n([^]+?)\n=/.exec(armour)?.[1] ?? "";
  return splitPgpPackets(Buffer.from(base64, "base64")) ?? [];
}

function armourOf(packets: ReadonlyArray<Pick<PgpPacket, "bytes">>, kind = "PUBLIC KEY BLOCK"): string {
  const base64 = Buffer.concat(packets.map(({ bytes }) => bytes)).toString("base64");
  return `-----BEGIN PGP ${kind}-----\n\n${base64}\n-----END PGP ${kind}-----\n`;
}

interface Forgery {
  /** The start of the sentence. */
  readonly message: string;
  readonly field?: string;
  /** By default Ada's key, with its key-cert object. */
  readonly listed?: () => readonly AuthKey[];
  readonly signature: (text: string) => Promise<string>;
  readonly publicKey?: () => Promise<string> | string;
}

/** Clear-signs a text. */
const sign =
  (key: () => string, { args = ["--clearsign"], at, change = (text) => `${text}\n` }: SignOptions = {}) =>
  (text: string) =>
    gnupg.run(["--local-user", key(), ...args], { input: change(text), ...(at !== undefined && { at }) });

interface SignOptions {
  readonly args?: readonly string[];
  readonly at?: string;
  readonly change?: (text: string) => string;
}

const ada = () => keyOf("ada");
const detach = ["--armor", "--detach-sign"];
const onlyFingerprint = (name: (typeof names)[number]) => () => [toPgpKey(keyOf(name))];
const keyCert = (name: (typeof names)[number]) => () => [toPgpKey(keyOf(name), publicKeyOf(name))];
const unreadableKey = { message: "This is not a whole PGP public key.", field: "public_key" } as const;

const forgeries: Readonly<Record<string, Forgery>> = {
  "the key of another AS": {
    message: "This was signed with {bob}, which the registry does not list",
    signature: sign(() => keyOf("bob")),
  },
  "the key of another AS, which is pasted": {
    message: "This public key has the fingerprint {bob}, which the registry does not list",
    field: "public_key",
    listed: onlyFingerprint("ada"),
    signature: sign(() => keyOf("bob")),
    publicKey: () => publicKeyOf("bob"),
  },
  "the key of another AS, and Ada's public key": {
    message: "This was signed with {bob}, which the registry does not list",
    listed: onlyFingerprint("ada"),
    signature: sign(() => keyOf("bob")),
    publicKey: () => publicKeyOf("ada"),
  },
  "the key of another AS, and both public keys": {
    message: "This public key has the fingerprint {bob}, which the registry does not list",
    field: "public_key",
    listed: onlyFingerprint("ada"),
    signature: sign(() => keyOf("bob")),
    publicKey: () => publicKeyOf("ada") + publicKeyOf("bob"),
  },
  "a key where the registry has none": {
    message: "This was signed with {ada}, which the registry does not list",
    listed: () => [],
    signature: sign(ada),
    publicKey: () => publicKeyOf("ada"),
  },
  "no public key where the registry has only a fingerprint": {
    message: "The registry has only the fingerprint of your PGP key.",
    field: "public_key",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
  },
  "something else as the public key": {
    ...unreadableKey,
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: () => "ssh-ed25519 AAAA",
  },
  "half of the public key": {
    ...unreadableKey,
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: () => publicKeyOf("ada").replace(/\n[^\n]+(?=\n=)/, ""),
  },
  "a signature as the public key": {
    ...unreadableKey,
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: async () => armourOf(readPackets(await sign(ada, { args: detach })("x"))),
  },
  "a private key as the public key": {
    message: "This contains a private key.",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: () => gnupg.run(["--armor", "--export-secret-keys", ada()]),
  },
  "a private key that says it is a public one": {
    message: "This contains a private key.",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: async () => armourOf(readPackets(await gnupg.run(["--armor", "--export-secret-keys", ada()]))),
  },
  "another AS's key with Ada's name": {
    message: "This public key has the fingerprint {bob}",
    field: "public_key",
    listed: onlyFingerprint("ada"),
    signature: sign(() => keyOf("bob")),
    publicKey: () => {
      const [key, ...rest] = readPackets(publicKeyOf("bob"));
      const [, user] = readPackets(publicKeyOf("ada"));
      return armourOf([key, user, ...rest.slice(1)].filter((each) => each !== undefined));
    },
  },
  "another text": {
    message: "This is the signature of another text.",
    signature: sign(ada, { change: (text) => text.replace(/^peerdeck \S+:/, "peerdeck example.org:") }),
  },
  "another text, detached": {
    message: "This signature does not fit the text above.",
    signature: sign(ada, { args: detach, change: (text) => text.replace("AS4242420001", "AS4242420002") }),
  },
  "the text for another purpose": {
    message: "This is the signature of another text.",
    signature: sign(ada, { change: (text) => text.replace("register", "reset the password of") }),
  },
  "a letter that contains the text": {
    message: "This is the signature of another text.",
    signature: sign(ada, { change: (text) => `Dear Bob,\n${text}\nRegards\n` }),
  },
  "another text that was replaced afterwards": {
    message: "This signature does not fit the text above.",
    signature: async (text) => (await sign(ada)("something else")).replace("something else", text),
  },
  "the text in front of a signature of another": {
    message: "This is the signature of another text.",
    signature: async (text) => (await sign(ada)("else")).replace("\n\n", `\n\n${text}\n`),
  },
  "a changed signature": {
    message: "This signature does not fit the text above.",
    signature: async (text) => {
      const [packet] = readPackets(await sign(ada, { args: detach })(text));
      const bytes = Buffer.from(packet?.bytes ?? []);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      return armourOf([{ bytes }], "SIGNATURE");
    },
  },
  "half of a signature": {
    message: "This signature cannot be read.",
    signature: async (text) => {
      const [packet] = readPackets(await sign(ada, { args: detach })(text));
      return armourOf([{ bytes: packet?.bytes.subarray(0, 40) ?? Buffer.alloc(0) }], "SIGNATURE");
    },
  },
  "no packets": {
    message: "This signature cannot be read.",
    signature: async () => "-----BEGIN PGP SIGNATURE-----\n\n\n-----END PGP SIGNATURE-----\n",
  },
  "the certification of a user ID": {
    message: "This signature cannot be read.",
    signature: async () =>
      armourOf(
        readPackets(publicKeyOf("ada")).filter(({ tag }) => tag === pgpTag.signature),
        "SIGNATURE",
      ),
  },
  "two signers": {
    message: "This contains 2 signatures.",
    signature: sign(ada, { args: ["--local-user", "bob@example.net", ...detach] }),
  },
  "ten signatures": {
    message: "This contains 10 signatures.",
    signature: async (text) => (await sign(ada)(text)).repeat(10),
  },
  "a PGP message": {
    message: "This is a PGP message, which Peerdeck does not unpack.",
    signature: sign(ada, { args: ["--armor", "--sign"] }),
  },
  "a compressed message that says it is a signature": {
    message: "This signature cannot be read.",
    signature: async (text) =>
      (await sign(ada, { args: ["--armor", "--sign"] })(text)).replaceAll("PGP MESSAGE", "PGP SIGNATURE"),
  },
  "an encrypted message": {
    message: "This is a PGP message, which Peerdeck does not unpack.",
    signature: (text) => gnupg.run(["--passphrase", "test", "--armor", "--symmetric"], { input: text }),
  },
  "its public key instead": {
    message: "This is a public key, not a signature.",
    signature: async () => publicKeyOf("ada"),
  },
  MD5: {
    message: "This signature uses MD5, which can be forged.",
    signature: sign(() => keyOf("short"), {
      args: ["--digest-algo", "MD5", "--allow-weak-digest-algos", ...detach],
    }),
  },
  "SHA-1": {
    message: "This signature uses SHA-1, which can be forged.",
    signature: sign(ada, { args: ["--digest-algo", "SHA1", "--clearsign"] }),
  },
  "RIPEMD-160": {
    message: "This signature uses RIPEMD-160, which can be forged.",
    signature: sign(ada, { args: ["--digest-algo", "RIPEMD160", ...detach] }),
  },
  "RSA of 1024 bits": {
    message: "This RSA key has 1024 bits; fewer than 2048 are not accepted.",
    listed: keyCert("short"),
    signature: sign(() => keyOf("short")),
  },
  DSA: {
    message: "A signature with DSA is not accepted.",
    listed: keyCert("dsa"),
    signature: sign(() => keyOf("dsa")),
  },
  "a Brainpool curve": {
    message: "A signature with brainpoolP256r1 is not accepted.",
    listed: keyCert("brainpool"),
    signature: sign(() => keyOf("brainpool")),
  },
  "the curve of Bitcoin": {
    message: "A signature with secp256k1 is not accepted.",
    listed: keyCert("secp"),
    signature: sign(() => keyOf("secp")),
  },
  "an expired key": {
    message: "The key {expired} has expired. Extend it and paste the public key again",
    listed: onlyFingerprint("expired"),
    signature: sign(() => keyOf("expired"), { at: "20260119T001000" }),
    publicKey: () => publicKeyOf("expired"),
  },
  "an expired key of a key-cert object": {
    message: "The key {expired} has expired in its key-cert object.",
    listed: keyCert("expired"),
    signature: sign(() => keyOf("expired"), { at: "20260119T001000" }),
  },
  "an expired subkey": {
    message: "The key {expiredSubkey} has expired.",
    listed: onlyFingerprint("subkeys"),
    signature: sign(() => `${expiredSubkey}!`, { at: "20260119T001000" }),
    // The minimal export leaves expired subkeys out.
    publicKey: () => gnupg.run(["--armor", "--export", keyOf("subkeys")]),
  },
  "a revoked key": {
    message: "The key {ada} was revoked.",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: async () => {
      await revoker.run(["--import"], { input: publicKeyOf("ada") + (await gnupg.readRevocation(ada())) });
      return revoker.exportKey(ada());
    },
  },
  "a key that another key has revoked": {
    message: "The key {ada} was revoked.",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: async () => {
      const [key, ...rest] = readPackets(publicKeyOf("ada"));
      const revocation = readPackets(await gnupg.readRevocation(keyOf("bob")));
      return armourOf([...(key ? [key] : []), ...revocation, ...rest]);
    },
  },
  "a revoked subkey": {
    message: "The key {revokedSubkey} was revoked.",
    listed: onlyFingerprint("subkeys"),
    signature: sign(() => `${revokedSubkey}!`),
    publicKey: async () => {
      const secret = await gnupg.run(["--export-secret-keys", keyOf("subkeys")]);
      await revoker.run(["--import"], { input: secret });
      await revoker.run(["--command-fd", "0", "--edit-key", keyOf("subkeys")], {
        input: "key 3\nrevkey\ny\n0\n\ny\nsave\n",
      });
      return revoker.exportKey(keyOf("subkeys"));
    },
  },
  "a subkey of another key": {
    message: "The key {validSubkey} is not a signing subkey of your PGP key.",
    listed: onlyFingerprint("ada"),
    signature: sign(() => `${validSubkey}!`),
    publicKey: () => {
      const [, , , subkey, binding] = readPackets(publicKeyOf("subkeys"));
      return armourOf(
        [...readPackets(publicKeyOf("ada")), subkey, binding].filter((each) => each !== undefined),
      );
    },
  },
  "a subkey that the public key does not have": {
    message: "This was signed with {validSubkey}, which the registry does not list",
    listed: onlyFingerprint("subkeys"),
    signature: sign(() => `${validSubkey}!`),
    publicKey: () => armourOf(readPackets(publicKeyOf("subkeys")).slice(0, 3)),
  },
  "a public key without its user ID": {
    message: "The public key {ada} has no user ID with a valid signature.",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: () => armourOf(readPackets(publicKeyOf("ada")).slice(0, 1)),
  },
  "a public key of 201 parts": {
    message: "This public key has more than 200 parts.",
    field: "public_key",
    listed: onlyFingerprint("ada"),
    signature: sign(ada),
    publicKey: () => {
      const [key, user, certification] = readPackets(publicKeyOf("ada"));
      return armourOf([key, user, ...Array(199).fill(certification)].filter((each) => each !== undefined));
    },
  },
  "a date in the future": {
    message: "This signature is dated 2026-01-21T00:00:00.000Z, in the future.",
    signature: sign(ada, { at: "20260121T000000" }),
  },
  "a signature that has expired": {
    message: "This signature does not fit the text above.",
    signature: sign(ada, { args: ["--default-sig-expire", "1d", "--clearsign"], at: "20260119T000000" }),
  },
  "a critical note that only its author understands": {
    message: "This signature does not fit the text above.",
    signature: sign(ada, { args: ["--sig-notation", "!use@example.net=other", "--clearsign"] }),
  },
};

/** What a proof could change. */
async function readState({ server }: ProofScene) {
  const { db } = server.database;
  return {
    accounts: await db.selectFrom("accounts").selectAll().execute(),
    tokens: await db.selectFrom("account_tokens").selectAll().execute(),
    challenges: await db.selectFrom("challenges").selectAll().orderBy("nonce").execute(),
  };
}

describeWithDatabase("a forged PGP signature", { postgres: "share" }, (openDatabase) => {
  let scene: ProofScene;

  beforeAll(async () => {
    scene = await openProofScene(await openDatabase(), objects);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each(Object.entries(forgeries))("with %s is refused, and changes nothing", async (_, forgery) => {
    const { message, field = "signature", listed = keyCert("ada"), signature, publicKey } = forgery;
    scene.keys.set(asn, listed());
    const browser = scene.openBrowser();
    const { challenge } = await browser.request(asn);
    const attempt = {
      challenge: challenge.id,
      signature: await signature(challenge.text),
      ...(publicKey && { public_key: await publicKey() }),
    };
    const before = await readState(scene);

    const { status, body } = await browser.prove(attempt);

    const fingerprints: Record<string, string> = {
      ...Object.fromEntries(primaries),
      validSubkey,
      expiredSubkey,
      revokedSubkey,
    };
    const expected = message.replace(/\{(\w+)\}/, (__, name: string) => fingerprints[name] ?? "");
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: expect.stringContaining(expected), field },
    });
    expect(await readState(scene)).toEqual(before);
  });
});
