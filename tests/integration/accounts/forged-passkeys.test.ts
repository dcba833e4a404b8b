/** Responses that no honest browser sends for this challenge: all are refused, and change nothing. */
import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import type { CreatedCredential, UsedCredential } from "#contract/call-tables/accounts/passkey-calls.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import {
  type Attestation,
  type Cbor,
  createSoftwarePasskey,
  flags,
  type Forgery,
  useSoftwarePasskey,
} from "../../support/software-authenticator.ts";
import { goodPassword, serveAccounts } from "./account-server.ts";
import {
  addPasskey,
  finishAddition,
  finishLogin,
  isLoggedIn,
  listPasskeys,
  loggedInBrowser,
  logInWith,
  openBrowser,
  publicUrl,
  registeredBrowser,
  startAddition,
  startLogin,
  username,
} from "./passkey-scene.ts";

const { privateKey: strangersKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const otherAsn = "4242420002";

/** What both ceremonies refuse. */
const forgeries: Readonly<Record<string, Forgery>> = {
  "a page of another site": { origin: "https://peering.example.org" },
  "another port": { origin: `${publicUrl}:8443` },
  "the same host without encryption": { origin: "http://peering.example.net" },
  "a page below the host": { origin: "https://evil.peering.example.net" },
  "another RP ID": { rpId: "example.net" },
  "another challenge": { challenge: "AAAAAAAAAAAAAAAAAAAAAA" },
  "an empty challenge": { challenge: "" },
  "the type of the other ceremony": { type: "payment.get" },
};

const usedForgeries: Readonly<Record<string, Forgery>> = {
  ...forgeries,
  "no user verification": { flags: flags.userPresent },
  "no user at the device": { flags: flags.userVerified },
  "the type of an addition": { type: "webauthn.create" },
  "another key": { privateKey: strangersKey },
  "no user handle": { userHandle: null },
  "another user handle": { userHandle: "AAAAAAAAAAAAAAAAAAAAAA" },
  "an unknown credential": { id: "unknown" },
};

const createdForgeries: Readonly<Record<string, Forgery>> = {
  ...forgeries,
  "no user verification": { flags: flags.userPresent | flags.attested },
  "no user at the device": { flags: flags.userVerified | flags.attested },
  "no key": { flags: flags.userPresent | flags.userVerified },
  "the type of a login": { type: "webauthn.get" },
  "an unknown attestation": { attest: () => ({ fmt: "tpm", attStmt: new Map() }) },
};

/** The certificate of a device, as browsers send it to sites that ask for one. */
async function attestWithCertificate(): Promise<(signed: Buffer) => Attestation> {
  const attributes = { C: "SE", O: "Example", OU: "Authenticator Attestation", CN: "Example" };
  const { cert, private: privateKey } = await generate(
    Object.entries(attributes).map(([shortName, value]) => ({ shortName, value })),
    { keyType: "ec", curve: "P-256", extensions: [{ name: "basicConstraints", cA: false }] },
  );
  return (signed) => ({
    fmt: "packed",
    attStmt: new Map<string, Cbor>([
      ["alg", -7],
      ["sig", sign("sha256", signed, privateKey)],
      ["x5c", [new X509Certificate(cert).raw]],
    ]),
  });
}

const tampered: Readonly<Record<string, (credential: UsedCredential) => unknown>> = {
  "a flipped bit of the signature": (credential) => changeText(credential, "signature"),
  "a changed counter": (credential) => changeText(credential, "authenticatorData"),
  "a signature that is no base64url": (credential) => withResponse(credential, { signature: "a+b/c=" }),
  "an empty signature": (credential) => withResponse(credential, { signature: "" }),
  "client data that are no JSON": (credential) => withResponse(credential, { clientDataJSON: "AAAA" }),
  "client data without a challenge": (credential) => withResponse(credential, { clientDataJSON: "e30" }),
  "short authenticator data": (credential) => withResponse(credential, { authenticatorData: "AAAA" }),
  "a long signature": (credential) => withResponse(credential, { signature: "A".repeat(12_001) }),
  "two IDs": (credential) => ({ ...credential, rawId: "AAAA" }),
  "another type": (credential) => ({ ...credential, type: "password" }),
  "no response": ({ response: _response, ...credential }) => credential,
};

function withResponse(credential: UsedCredential, changed: object) {
  return { ...credential, response: { ...credential.response, ...changed } };
}

/** Changes the last but one character, which encodes whole bits. */
function changeText(credential: UsedCredential, field: "signature" | "authenticatorData") {
  const text = credential.response[field];
  const changed = text.at(-2) === "A" ? "B" : "A";
  return withResponse(credential, { [field]: text.slice(0, -2) + changed + text.slice(-1) });
}

describeWithDatabase("a forged login with a passkey", { postgres: "share" }, (openDatabase) => {
  const limits = { failedLoginPerClient: { points: 1000, seconds: 60 } };

  test("is refused whatever its browser or authenticator says", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl, limits });
    const owner = await registeredBrowser(server);
    const passkey = await addPasskey(owner);
    const browser = openBrowser(server);
    const accepted: string[] = [];
    for (const [what, forged] of Object.entries(usedForgeries)) {
      const { status, body } = await logInWith(browser, passkey, forged);
      const isRefused =
        status === 401 && String(body["message"]).startsWith("This passkey is not accepted here");
      if (!isRefused || (await isLoggedIn(browser))) accepted.push(what);
    }
    expect(accepted).toEqual([]);
    expect(await listPasskeys(owner)).toMatchObject([{ last_used: null }]);
  });

  test("is refused if it was changed on its way", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl, limits });
    const owner = await registeredBrowser(server);
    const passkey = await addPasskey(owner);
    const browser = openBrowser(server);
    const { challenge, options } = await startLogin(browser);
    const accepted: string[] = [];
    for (const [what, change] of Object.entries(tampered)) {
      const changed = change(useSoftwarePasskey(passkey, options, publicUrl)) as UsedCredential;
      const { status, body } = await finishLogin(browser, challenge, changed);
      const isExplained = /^This passkey is not accepted here|has the wrong shape/.test(
        String(body["message"]),
      );
      if (![401, 422].includes(status) || !isExplained || (await isLoggedIn(browser))) accepted.push(what);
    }
    expect(accepted).toEqual([]);
    expect(await listPasskeys(owner)).toMatchObject([{ last_used: null }]);
  });

  test("is refused with a challenge that was used, has expired, or is another browser's or purpose's", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl, limits });
    const owner = await registeredBrowser(server);
    const passkey = await addPasskey(owner);
    const used = { status: 422, body: { field: "challenge" } };
    const browser = openBrowser(server);
    const { challenge, options } = await startLogin(browser);
    const credential = useSoftwarePasskey(passkey, options, publicUrl);
    const other = openBrowser(server);
    expect(await finishLogin(other, challenge, credential)).toMatchObject(used);
    await startLogin(other);
    expect(await finishLogin(other, challenge, credential)).toMatchObject(used);
    const both = await Promise.all([
      finishLogin(browser, challenge, credential),
      finishLogin(browser, challenge, credential),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(await finishLogin(browser, challenge, credential)).toMatchObject(used);

    const late = await startLogin(other);
    server.pass(15 * 60_000);
    const lateCredential = useSoftwarePasskey(passkey, late.options, publicUrl);
    expect(await finishLogin(other, late.challenge, lateCredential)).toMatchObject(used);

    const proof = await other.post("requestProof", { asn: username });
    const { id } = proof.body["challenge"] as { readonly id: string };
    const forProof = Buffer.from(id, "hex").toString("base64url");
    const proofCredential = useSoftwarePasskey(passkey, { ...options, challenge: forProof }, publicUrl);
    expect(await finishLogin(other, id, proofCredential)).toMatchObject(used);
    expect(await isLoggedIn(other)).toBe(false);
  });

  test("is refused and recorded if its counter has not gone on", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl, limits });
    const passkey = await addPasskey(await registeredBrowser(server), { counter: 5 });
    const attempt = async (counter: number) =>
      (await logInWith(openBrowser(server), passkey, { counter })).status;
    expect(await attempt(6)).toBe(200);
    expect(await attempt(6)).toBe(401);
    expect(await attempt(0)).toBe(401);
    expect(await attempt(7)).toBe(200);
    const copied = await server.database.db
      .selectFrom("audit_events")
      .select("detail")
      .where("kind", "=", "passkey-copied")
      .execute();
    expect(copied).toEqual([{ detail: "It is “Test device”." }, { detail: "It is “Test device”." }]);
  });

  test("uses up the attempts of its client, and of no AS", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      publicUrl,
      limits: { failedLoginPerClient: { points: 3, seconds: 900 } },
    });
    const passkey = await addPasskey(await registeredBrowser(server));
    const attempt = async () =>
      (await logInWith(openBrowser(server), passkey, { privateKey: strangersKey })).status;
    expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual([
      401, 401, 401, 429,
    ]);
  });
});

describeWithDatabase("a forged passkey", { postgres: "share" }, (openDatabase) => {
  test("is not added, whatever its browser or authenticator says", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl });
    const browser = await registeredBrowser(server);
    const accepted: string[] = [];
    for (const [what, forged] of Object.entries({
      ...createdForgeries,
      "an attestation with a certificate": { attest: await attestWithCertificate() },
    })) {
      const { challenge, options } = await startAddition(browser);
      const { credential } = createSoftwarePasskey(options, publicUrl, forged);
      const { status, body } = await finishAddition(browser, { challenge, credential });
      if (status !== 422 || body["field"] !== "credential") accepted.push(what);
    }
    expect(accepted).toEqual([]);
    const { challenge, options } = await startAddition(browser);
    const { credential } = createSoftwarePasskey(options, publicUrl);
    const otherId: CreatedCredential = { ...credential, id: "AAAA", rawId: "AAAA" };
    expect(await finishAddition(browser, { challenge, credential: otherId })).toMatchObject({ status: 422 });
    expect(await listPasskeys(browser)).toEqual([]);
    expect(await finishAddition(browser, { challenge, credential })).toMatchObject({ status: 200 });
    expect(await finishAddition(browser, { challenge, credential })).toMatchObject({
      status: 422,
      body: { field: "challenge" },
    });
  });

  test("cannot take over the passkey, or the challenge, of another AS", async () => {
    await using server = await serveAccounts(await openDatabase(), { publicUrl });
    const owner = await registeredBrowser(server);
    const passkey = await addPasskey(owner);
    const { db } = server.database;
    const account = await db.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto("accounts")
      .values({ ...account, asn: otherAsn, first_login_at: null, passkey_handle: null })
      .execute();
    const thief = await loggedInBrowser(server, otherAsn);
    await expect(addPasskey(thief, { as: otherAsn, id: passkey.id })).rejects.toThrow("was added before");
    const { challenge, options } = await startAddition(owner);
    const { credential } = createSoftwarePasskey(options, publicUrl);
    expect(await finishAddition(thief, { challenge, credential, as: otherAsn })).toMatchObject({
      status: 422,
      body: { field: "challenge" },
    });
    await owner.post("login/", { username: otherAsn, password: goodPassword });
    expect(await finishAddition(owner, { challenge, credential, as: otherAsn })).toMatchObject({
      status: 422,
      body: { field: "challenge" },
    });
    expect(await thief.post("removePasskey", { username: otherAsn, id: passkey.id })).toMatchObject({
      status: 404,
    });
    expect(await listPasskeys(thief, otherAsn)).toEqual([]);
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 200, body: { username } });
  });
});
