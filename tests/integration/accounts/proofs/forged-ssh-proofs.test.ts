/** Forged and stale SSH signatures: each is refused with its sentence, and changes nothing. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProofRequest } from "#contract/call-tables/accounts/proof-calls.ts";
import { blockAccount } from "#server/features/accounts/blocks.ts";
import { describeWithDatabase } from "#tests/support/databases.ts";
import { goodPassword } from "../account-server.ts";
import { openProofScene, type ProofAttempt, type ProofBrowser, type ProofScene } from "./proof-scene.ts";
import {
  armour,
  createEd25519Key,
  createRsaKey,
  createSecurityKey,
  number,
  type SignatureFields,
  type SignatureOptions,
  signWithSoftware,
  type SoftwareSshKey,
  string,
} from "./software-ssh-key.ts";
import { toSshKey } from "./ssh-keys.ts";

const asn = "4242420001";
const otherAsn = "4242420002";
const accountAsn = "4242420003";
const blockedAsn = "4242420004";
const flaggedAsn = "4242420005";
const namespace = "peerdeck@demo.dn42";
const minuteMs = 60_000;

const objects = {
  [`aut-num/AS${asn}`]: "mnt-by: ADA-MNT\nadmin-c: ADA-P",
  [`aut-num/AS${otherAsn}`]: "mnt-by: BOB-MNT",
  [`aut-num/AS${accountAsn}`]: "mnt-by: ADA-MNT",
  [`aut-num/AS${blockedAsn}`]: "mnt-by: ADA-MNT",
  [`aut-num/AS${flaggedAsn}`]: "mnt-by: ADA-MNT",
  "person/ADA-P": "e-mail: ada@example.org",
};

const ada = createEd25519Key();
const adaRsa = createRsaKey(2048);
const adaSecurityKey = createSecurityKey("ed25519");
const adaSecurityKey2 = createSecurityKey("ecdsa");
const bob = createEd25519Key();
const stranger = createEd25519Key();
const adasKeys = [ada, adaRsa, adaSecurityKey, adaSecurityKey2];

interface Forger {
  readonly scene: ProofScene;
  readonly browser: ProofBrowser;
  /** For the AS and purpose of the row. */
  readonly request: ProofRequest;
}

interface Forgery {
  readonly status?: number;
  /** The start of the sentence. */
  readonly message: string;
  readonly field?: string;
  readonly asn?: string;
  readonly isReset?: boolean;
  readonly forge: (
    forger: Forger,
  ) => Promise<Partial<ProofAttempt> & { readonly cookie?: Record<string, string> }>;
}

const sign = (request: ProofRequest, key: SoftwareSshKey = ada, options: Partial<SignatureOptions> = {}) =>
  signWithSoftware(key, `${request.challenge.text}\n`, { namespace, ...options });

/** Another key, or other parts of the signature. */
const withKey =
  (key: SoftwareSshKey, options: Partial<SignatureOptions> = {}): Forgery["forge"] =>
  async ({ request }) => ({ signature: sign(request, key, options) });
/** Fields that were changed after the text was signed. */
const withFields = (change: (fields: SignatureFields) => Partial<SignatureFields>, key = ada) =>
  withKey(key, { change });
const withText =
  (change: (text: string) => string): Forgery["forge"] =>
  async ({ request: { challenge } }) => ({
    signature: signWithSoftware(ada, `${change(challenge.text)}\n`, { namespace }),
  });
const withPaste =
  (paste: (armour: string) => string): Forgery["forge"] =>
  async ({ request }) => ({ signature: paste(sign(request)) });
/** Flips the lowest bit of the byte at a position, which may count from the end. */
const flip = (bytes: Buffer, position: number) => {
  const flipped = Buffer.from(bytes);
  const index = position < 0 ? bytes.length + position : position;
  flipped.writeUInt8(flipped.readUInt8(index) ^ 1, index);
  return flipped;
};
const privateKey = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });

const otherKey = "This was signed with SHA256:";
const wrongSignature = "This signature does not fit the text above.";
const unreadable = "This signature cannot be read.";
const used = "This text to sign was used, has expired, or belongs to another browser.";
const ofChallenge = { message: used, field: "challenge" } as const;

const forgeries: Readonly<Record<string, Forgery>> = {
  "the key of another AS": { message: otherKey, forge: withKey(bob) },
  "a key that no registry has": { message: otherKey, forge: withKey(stranger) },
  "a key that was removed meanwhile": {
    message: otherKey,
    forge: async ({ scene, request }) => {
      scene.keys.set(
        asn,
        adasKeys.slice(1).map(({ publicKey }) => toSshKey(publicKey, "ADA-MNT")),
      );
      return { signature: sign(request) };
    },
  },
  "an AS that was removed meanwhile": {
    message: otherKey,
    forge: async ({ scene, request }) => {
      scene.keys.delete(asn);
      return { signature: sign(request) };
    },
  },
  "the key of the AS in another key's signature": {
    message: wrongSignature,
    forge: withFields(() => ({ publicKey: string(ada.publicKey) }), stranger),
  },
  "a security key for another application": {
    message: otherKey,
    forge: withFields(
      ({ publicKey }) => ({
        publicKey: string(Buffer.concat([publicKey.subarray(4, -4), string("web:")])),
      }),
      adaSecurityKey,
    ),
  },
  "the namespace of git": {
    message: 'This was signed for "git" instead of "peerdeck@demo.dn42".',
    forge: withKey(ada, { namespace: "git" }),
  },
  "the namespace of another provider": {
    message: 'This was signed for "peerdeck@example.org" instead of',
    forge: withKey(ada, { namespace: "peerdeck@example.org" }),
  },
  "no namespace": { message: 'This was signed for "" instead of', forge: withKey(ada, { namespace: "" }) },
  "a pattern as the namespace": {
    message: 'This was signed for "*" instead of',
    forge: withKey(ada, { namespace: "*" }),
  },
  "a namespace with control characters": {
    message: String.raw`This was signed for "a\u{0}\u{a}\u{1b}[31m" instead of`,
    forge: withKey(ada, { namespace: "a\0\n\u001B[31m" }),
  },
  "a namespace of 10,000 characters": {
    message: `This was signed for "${"a".repeat(60)}" instead of`,
    forge: withKey(ada, { namespace: "a".repeat(10_000) }),
  },
  "the namespace of another signature": {
    message: wrongSignature,
    forge: withKey(ada, { namespace: "git", change: () => ({ namespace: string(namespace) }) }),
  },
  "the text of another domain": {
    message: wrongSignature,
    forge: withText((text) => text.replace("demo.dn42", "example.org")),
  },
  "the text of another purpose": {
    message: wrongSignature,
    forge: withText((text) => text.replace("register", "reset the password of")),
  },
  "the text of another AS": {
    message: wrongSignature,
    forge: withText((text) => text.replace(asn, otherAsn)),
  },
  "the text with another nonce": {
    message: wrongSignature,
    forge: withText((text) => text.replace(/.$/, "x")),
  },
  "the text with another expiry": {
    message: wrongSignature,
    forge: withText((text) => text.replace("until 2026", "until 2027")),
  },
  "the text with a blank at its end": { message: wrongSignature, forge: withText((text) => `${text} `) },
  "the text with two line ends": { message: wrongSignature, forge: withText((text) => `${text}\n`) },
  "the text in quotes": { message: wrongSignature, forge: withText((text) => `'${text}'`) },
  "no text": { message: wrongSignature, forge: withText(() => "") },
  "an expired challenge": {
    ...ofChallenge,
    forge: async ({ scene, request }) => {
      scene.server.pass(15 * minuteMs);
      return { signature: sign(request) };
    },
  },
  "a challenge that was used": {
    ...ofChallenge,
    forge: async ({ browser, request }) => {
      const signature = sign(request);
      await browser.prove({ challenge: request.challenge.id, signature });
      return { signature };
    },
  },
  "a challenge of another browser": {
    ...ofChallenge,
    forge: async ({ scene, request }) => {
      const other = scene.openBrowser();
      await other.request(asn);
      return { signature: sign(request), cookie: other.cookie() };
    },
  },
  "no cookie": { ...ofChallenge, forge: async ({ request }) => ({ signature: sign(request), cookie: {} }) },
  "a made-up cookie": {
    ...ofChallenge,
    forge: async ({ request, browser }) => {
      const [name = ""] = (browser.cookie()["cookie"] ?? "").split("=");
      return { signature: sign(request), cookie: { cookie: `${name}=${"A".repeat(43)}` } };
    },
  },
  "a broken cookie": {
    ...ofChallenge,
    forge: async ({ request, browser }) => {
      const [name = ""] = (browser.cookie()["cookie"] ?? "").split("=");
      return { signature: sign(request), cookie: { cookie: `${name}=' or 1=1` } };
    },
  },
  "the signature of another challenge": {
    message: wrongSignature,
    forge: async ({ browser }) => ({ signature: sign(await browser.request(asn)) }),
  },
  "the signature of the challenge for a reset": {
    message: wrongSignature,
    forge: async ({ browser }) => ({ signature: sign(await browser.request(asn, true)) }),
  },
  "a challenge that does not exist": {
    ...ofChallenge,
    forge: async ({ request }) => ({ signature: sign(request), challenge: "0".repeat(32) }),
  },
  "the ID of a challenge in upper case": {
    ...ofChallenge,
    forge: async ({ request }) => ({
      signature: sign(request),
      challenge: `${request.challenge.id.slice(0, -1)}G`,
    }),
  },
  "an ID with a NUL byte": {
    message: "The value of challenge contains a NUL character.",
    field: "challenge",
    forge: async ({ request }) => ({ signature: sign(request), challenge: `${request.challenge.id}\0` }),
  },
  "a flipped bit in the magic bytes": {
    message: unreadable,
    forge: withFields(({ magic }) => ({ magic: flip(magic, 0) })),
  },
  "another version": { message: unreadable, forge: withFields(() => ({ version: number(2) })) },
  "a flipped bit in the public key": {
    message: otherKey,
    forge: withFields(({ publicKey }) => ({ publicKey: flip(publicKey, -1) })),
  },
  "a flipped bit in the key's type": {
    message: "A signature with ssh-ed25518 is not accepted.",
    forge: withFields(({ publicKey }) => ({ publicKey: flip(publicKey, 18) })),
  },
  "a flipped bit in the length of the public key": {
    message: unreadable,
    forge: withFields(({ publicKey }) => ({ publicKey: flip(publicKey, 3) })),
  },
  "a flipped bit in the namespace": {
    message: 'This was signed for "qeerdeck@demo.dn42" instead of',
    forge: withFields(({ namespace: given }) => ({ namespace: flip(given, 4) })),
  },
  "reserved bytes": { message: unreadable, forge: withFields(() => ({ reserved: string("a") })) },
  "a flipped bit in the hash's name": {
    message: unreadable,
    forge: withFields(({ hash }) => ({ hash: flip(hash, -1) })),
  },
  "a flipped bit in the algorithm": {
    message: unreadable,
    forge: withFields(({ signature }) => ({ signature: flip(signature, 18) })),
  },
  "a flipped bit in the first half of the signature": {
    message: wrongSignature,
    forge: withFields(({ signature }) => ({ signature: flip(signature, -64) })),
  },
  "a flipped bit in the second half of the signature": {
    message: wrongSignature,
    forge: withFields(({ signature }) => ({ signature: flip(signature, -20) })),
  },
  "a signature of zeros": {
    message: wrongSignature,
    forge: withFields(() => ({
      signature: string(Buffer.concat([string("ssh-ed25519"), string(Buffer.alloc(64))])),
    })),
  },
  "a short signature": {
    message: wrongSignature,
    forge: withFields(() => ({
      signature: string(Buffer.concat([string("ssh-ed25519"), string(Buffer.alloc(63))])),
    })),
  },
  "bytes behind the last field": { message: unreadable, forge: withKey(ada, { tail: Buffer.of(0) }) },
  "bytes behind the signature": {
    message: unreadable,
    forge: withFields(({ signature }) => ({
      signature: string(Buffer.concat([signature.subarray(4), Buffer.of(0)])),
    })),
  },
  "a length of 4 GB": {
    message: unreadable,
    forge: async () => ({
      signature: armour(Buffer.concat([Buffer.from("SSHSIG"), number(1), number(2 ** 32 - 1)])),
    }),
  },
  "no bytes": { message: unreadable, forge: async () => ({ signature: armour(Buffer.alloc(0)) }) },
  "bytes of something else": {
    message: unreadable,
    forge: async () => ({ signature: armour(Buffer.alloc(1_000, 7)) }),
  },
  "a lost line": {
    message: unreadable,
    forge: withPaste((text) => text.replace(/(?<=RE-----\n).*\n/, "")),
  },
  "a character that is no base64": {
    message: unreadable,
    forge: withPaste((text) => text.replace("U1NI", "U1N!")),
  },
  "an RSA key of 1024 bits": {
    message: "This RSA key has 1024 bits; fewer than 2048 are not accepted.",
    forge: withKey(createRsaKey(1024)),
  },
  "RSA with SHA-1": {
    message: "This signature uses SHA-1, which can be forged.",
    forge: withKey(adaRsa, { algorithm: "ssh-rsa" }),
  },
  "an RSA signature that claims another algorithm": {
    message: wrongSignature,
    forge: withFields(
      ({ signature }) => ({
        signature: Buffer.from(signature.toString("latin1").replace("sha2-512", "sha2-256"), "latin1"),
      }),
      adaRsa,
    ),
  },
  "a text hashed with SHA-1": {
    message: "This signature uses SHA-1, which can be forged.",
    forge: withKey(ada, { hash: "sha1" }),
  },
  "a text hashed with SHA-384": { message: unreadable, forge: withKey(ada, { hash: "sha384" }) },
  "a hash that is not the named one": {
    message: wrongSignature,
    forge: withFields(() => ({ hash: string("sha256") })),
  },
  "a DSA key": {
    message: "A signature with ssh-dss is not accepted.",
    forge: withFields(() => ({
      publicKey: string(
        Buffer.concat([string("ssh-dss"), ...Array.from({ length: 4 }, () => string("\u0001"))]),
      ),
      signature: string(Buffer.concat([string("ssh-dss"), string(Buffer.alloc(40, 1))])),
    })),
  },
  "a certificate": {
    message: "A signature with ssh-ed25519-cert-v01@openssh.com is not accepted.",
    forge: withFields(({ publicKey }) => ({
      publicKey: string(
        Buffer.concat([string("ssh-ed25519-cert-v01@openssh.com"), string("nonce"), publicKey.subarray(19)]),
      ),
    })),
  },
  "a type of key with control characters": {
    message: String.raw`A signature with \u{1b}[2J is not accepted.`,
    forge: withFields(() => ({ publicKey: string(string("\u001B[2J")) })),
  },
  "a security key that was not touched": {
    message: "Your security key was not touched for this signature.",
    forge: withKey(adaSecurityKey, { flags: 0 }),
  },
  "a security key that verified its user without a touch": {
    message: "Your security key was not touched for this signature.",
    forge: withKey(adaSecurityKey2, { flags: 4 }),
  },
  "a security key whose flags were changed": {
    message: wrongSignature,
    forge: withFields(({ signature }) => ({ signature: flip(signature, -5) }), {
      ...adaSecurityKey,
      sign: (data) => adaSecurityKey.sign(data, { flags: 0 }),
    }),
  },
  "a security key whose counter was changed": {
    message: wrongSignature,
    forge: withFields(({ signature }) => ({ signature: flip(signature, -1) }), adaSecurityKey2),
  },
  "a security key without its counter": {
    message: unreadable,
    forge: withFields(({ signature }) => ({ signature: string(signature.subarray(4, -4)) }), adaSecurityKey),
  },
  "two signatures": { message: "This contains 2 signatures.", forge: withPaste((text) => text + text) },
  "ten signatures": { message: "This contains 10 signatures.", forge: withPaste((text) => text.repeat(10)) },
  "a signature and a PGP signature": {
    message: "This contains 2 signatures.",
    forge: withPaste((text) => `${text}-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n`),
  },
  "a signature without its last line": {
    message: "The signature is not whole.",
    forge: withPaste((text) => text.replace(/-----END.*/, "")),
  },
  "a public key": {
    message: "This is a public key, not a signature.",
    forge: async () => ({ signature: `ssh-ed25519 ${ada.publicKey.toString("base64")} ada@router` }),
  },
  "a private key": {
    message: "This contains a private key.",
    forge: async () => ({ signature: privateKey }),
  },
  "a private key beside a signature": {
    message: "This contains a private key.",
    forge: withPaste((text) => text + privateKey),
  },
  "an encrypted message": {
    message: "This is a PGP message",
    forge: async () => ({ signature: "-----BEGIN PGP MESSAGE-----\n\nhQ==\n-----END PGP MESSAGE-----" }),
  },
  "no signature": { message: "This contains no signature.", forge: async () => ({ signature: "" }) },
  "NUL bytes": {
    message: "The value of signature contains a NUL character.",
    forge: async () => ({ signature: "\0".repeat(100) }),
  },
  "NUL bytes in a signature": {
    message: "The value of signature contains a NUL character.",
    forge: withPaste((text) => text.replace("U1NI", "U1NI\0")),
  },
  "the text instead of its signature": {
    message: "This contains no signature.",
    forge: async ({ request }) => ({ signature: request.challenge.text }),
  },
  "a signature in 100 kB of text": {
    message: "This is longer than 64 kB",
    forge: withPaste((text) => text + "a ".repeat(50_000)),
  },
  "a signature in 2 MB of text": {
    status: 413,
    message: "",
    forge: withPaste((text) => text + "a ".repeat(1_000_000)),
  },
  "a blocked AS": {
    status: 403,
    message: `AS${blockedAsn} is blocked, so no password can be set.`,
    field: "asn",
    asn: blockedAsn,
    forge: async ({ request }) => ({ signature: sign(request) }),
  },
  "an AS that has another holder": {
    status: 403,
    message: `The registry's entry of AS${flaggedAsn} has changed since this account was verified`,
    field: "",
    asn: flaggedAsn,
    isReset: true,
    forge: async ({ scene, request }) => {
      await scene.changeObjects({ [`aut-num/AS${flaggedAsn}`]: "mnt-by: BOB-MNT" });
      scene.keys.set(flaggedAsn, [toSshKey(bob.publicKey, "BOB-MNT")]);
      return { signature: sign(request, bob) };
    },
  },
  "the registration of an AS with an account": {
    status: 409,
    message: "User already exists",
    field: "",
    asn: accountAsn,
    forge: async ({ request }) => ({ signature: sign(request) }),
  },
  "the reset of an AS without an account": {
    status: 404,
    message: "AS number cannot be found",
    field: "",
    isReset: true,
    forge: async ({ request }) => ({ signature: sign(request) }),
  },
};

/** What no refused proof changes: all but the mark that an AS has another holder. */
async function readState({ server }: ProofScene, challenge: string): Promise<unknown> {
  const { db } = server.database;
  const accounts = await db
    .selectFrom("accounts")
    .select(["asn", "password_hash", "verified_holder"])
    .execute();
  const tokens = await db.selectFrom("account_tokens").selectAll().execute();
  const events = await db
    .selectFrom("audit_events")
    .selectAll()
    .where("kind", "!=", "account-flagged")
    .execute();
  return {
    rows: [accounts, tokens, events].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted()),
    challenge: await db.selectFrom("challenges").selectAll().where("nonce", "=", challenge).execute(),
  };
}

async function register(scene: ProofScene, account: string): Promise<void> {
  const browser = scene.openBrowser();
  const request = await browser.request(account);
  const attempt = { challenge: request.challenge.id, signature: sign(request) };
  const { status } = await browser.setPassword(attempt, goodPassword);
  if (status !== 200) throw new Error(`AS${account} was not registered`);
}

/** The responses about an AS, without what always differs. */
async function readResponses(scene: ProofScene, about: string, isReset: boolean): Promise<unknown> {
  const browser = scene.openBrowser();
  const request = await browser.request(about, isReset);
  const { id, expires } = request.challenge;
  const replace = (text: string) =>
    text.replaceAll(about, "ASN").replaceAll(id, "ID").replaceAll(String(expires), "EXPIRES");
  const signatures = [
    sign(request, stranger),
    sign(request, ada, { namespace: "git" }),
    sign(request).replace("U1", "U2"),
    "",
  ];
  const responses = [];
  for (const signature of signatures) {
    const { status, body } = await browser.prove({ challenge: id, signature });
    responses.push([status, replace(JSON.stringify(body))]);
  }
  return [replace(JSON.stringify(request)), responses];
}

describeWithDatabase("a forged SSH signature", { postgres: "share" }, (openDatabase) => {
  let scene: ProofScene;

  const setKeys = () => {
    for (const each of [asn, accountAsn, blockedAsn, flaggedAsn])
      scene.keys.set(
        each,
        adasKeys.map(({ publicKey }) => toSshKey(publicKey, "ADA-MNT")),
      );
    scene.keys.set(otherAsn, [toSshKey(bob.publicKey, "BOB-MNT")]);
  };

  beforeAll(async () => {
    scene = await openProofScene(await openDatabase(), objects);
    setKeys();
    for (const account of [accountAsn, flaggedAsn]) await register(scene, account);
    await blockAccount({ ...scene.server.database, clock: () => 0 }, blockedAsn, "test");
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  test.each(Object.entries(forgeries))("with %s is refused, and changes nothing", async (_, forgery) => {
    const { status = 422, message, field = "signature", asn: about = asn, isReset, forge } = forgery;
    setKeys();
    const browser = scene.openBrowser();
    const request = await browser.request(about, isReset);
    const { cookie = browser.cookie(), ...forged } = await forge({ scene, browser, request });
    const attempt = { challenge: request.challenge.id, signature: "", ...forged };
    const before = await readState(scene, request.challenge.id);

    const response = await browser.prove(attempt, cookie);

    expect(response).toMatchObject({
      status,
      body: { message: expect.stringContaining(message), ...(status === 422 && { field }) },
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await readState(scene, request.challenge.id)).toEqual(before);
  });

  test.each([
    ["the provider's own", "4242422227", 422, "AS4242422227 is our own."],
    ["not in the registry", "4242420099", 404, "AS number cannot be found"],
    ["not a number", "4242420001x", 422, "This is not an AS number."],
  ])("an AS that is %s gets no challenge", async (_, unusable, status, message) => {
    const count = () => scene.server.database.db.selectFrom("challenges").select("nonce").execute();
    const before = await count();
    const response = await scene.openBrowser().send(unusable, false);
    expect(response).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await count()).toEqual(before);
  });

  test("an AS with an account gets the same responses as one without, until a signature is right", async () => {
    setKeys();
    for (const isReset of [false, true])
      expect(await readResponses(scene, accountAsn, isReset)).toEqual(
        await readResponses(scene, asn, isReset),
      );
  });
});

describeWithDatabase("limits of proofs", { postgres: "share" }, (openDatabase) => {
  test("a client address gets a number of challenges and proofs; others get theirs", async () => {
    await using scene = await openProofScene(await openDatabase(), objects, {
      limits: { challengePerClient: { points: 3, seconds: 60 }, proofPerClient: { points: 2, seconds: 60 } },
    });
    scene.keys.set(asn, [toSshKey(ada.publicKey, "ADA-MNT")]);
    const browser = scene.openBrowser();
    const request = await browser.request(asn);
    const attempt = { challenge: request.challenge.id, signature: sign(request) };
    for (const signature of ["", sign(request, stranger)])
      expect(await browser.prove({ ...attempt, signature })).toMatchObject({ status: 422 });
    const before = await readState(scene, request.challenge.id);
    expect(await browser.prove(attempt)).toMatchObject({
      status: 429,
      body: { message: "Too many proofs. Nothing was changed; wait a minute and try again." },
    });
    expect(await readState(scene, request.challenge.id)).toEqual(before);
    await browser.request(asn);
    await browser.request(asn);
    expect(await browser.send(asn, false)).toMatchObject({
      status: 429,
      body: {
        message: "Too many requests for a text to sign. Nothing was changed; wait a minute and try again.",
      },
    });
    const elsewhere = { ...browser.cookie(), "x-forwarded-for": "198.51.100.7" };
    expect(await browser.prove(attempt, elsewhere)).toMatchObject({ status: 200 });
  });
});
