/** A participant adds passkeys, logs in with them, and removes them. */
import { expect, test } from "vitest";
import { runAccountsCommand } from "#cli/account-commands.ts";
import { releaseAccount } from "#server/features/accounts/account-holders.ts";
import { finishDeletion } from "#server/features/accounts/deletion/deletion-store.ts";
import { blockAccount } from "#server/features/accounts/blocks.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { deriveFast } from "../../support/fast-passwords.ts";
import { createSoftwarePasskey } from "../../support/software-authenticator.ts";
import { type AccountServer, goodPassword, serveAccounts } from "./account-server.ts";
import { runOperatorCommand } from "./operator-command.ts";
import {
  addPasskey,
  isLoggedIn,
  listPasskeys,
  loggedInBrowser,
  logInWith,
  openBrowser,
  passwordLogin,
  publicUrl,
  registeredBrowser,
  startAddition,
  startLogin,
  username,
} from "./passkey-scene.ts";

const minuteMs = 60_000;
const otherUrl = "https://peering.example.org";
const serve = (at: Parameters<typeof serveAccounts>[0]) =>
  serveAccounts(at, { publicUrl, otherPublicUrls: [otherUrl, "http://peering.example.dn42"] });

async function events({ database }: AccountServer) {
  const rows = await database.db.selectFrom("audit_events").selectAll().orderBy("id").execute();
  return rows.map(({ kind, detail }) => (detail === null ? kind : `${kind}: ${detail}`));
}

async function subjects({ mailOutbox }: AccountServer) {
  return (await mailOutbox.listMails()).map(({ subject }) => subject.split(" for ")[0]);
}

describeWithDatabase("passkeys", { postgres: "share" }, (openDatabase) => {
  test("log in without the AS, from another browser, and are listed with their last use", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    const { options } = await startAddition(browser);
    expect(options).toMatchObject({
      rp: { id: "peering.example.net", name: "Example Network" },
      user: { name: "AS4242420001", displayName: "AS4242420001 at Example Network" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
    });
    const passkey = await addPasskey(browser, { name: "  Blue key " });
    expect(await listPasskeys(browser)).toEqual([
      {
        id: passkey.id,
        name: "Blue key",
        created: Date.UTC(2026, 0, 20),
        last_used: null,
        host: "peering.example.net",
        here: true,
      },
    ]);
    const next = await startAddition(browser);
    expect(next.options.user.id).toBe(options.user.id);
    expect(next.options.excludeCredentials).toEqual([{ type: "public-key", id: passkey.id }]);

    server.pass(minuteMs);
    const other = openBrowser(server);
    expect(await logInWith(other, passkey)).toEqual({ status: 200, body: { username } });
    expect(await listPasskeys(other)).toMatchObject([{ last_used: Date.UTC(2026, 0, 20) + minuteMs }]);
    expect(await logInWith(other, passkey)).toMatchObject({ status: 200 });
    expect(await events(server)).toEqual(
      expect.arrayContaining([
        "passkey-added: It is “Blue key”.",
        "login: It was with the passkey “Blue key”. This browser had not logged in before.",
        "login-session-replaced",
        // The browser is a known client now.
        "login: It was with the passkey “Blue key”.",
      ]),
    );
    await expect.poll(() => subjects(server)).toEqual(expect.arrayContaining(["Passkey added", "New login"]));
    expect((await browser.post("exportAccount", { username })).body).toMatchObject({
      passkeys: [{ id: passkey.id, name: "Blue key" }],
    });
  });

  test("work at their own host alone, and need an encrypted one", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    const passkey = await addPasskey(browser);
    const elsewhere = openBrowser(server, otherUrl);
    expect((await startLogin(elsewhere)).options.rpId).toBe("peering.example.org");
    expect(await logInWith(elsewhere, passkey)).toMatchObject({ status: 401 });
    expect(await logInWith(elsewhere, passkey, { rpId: "peering.example.org" })).toMatchObject({
      status: 401,
    });
    const loggedIn = await loggedInBrowser(server, username, otherUrl);
    expect(await listPasskeys(loggedIn)).toMatchObject([{ host: "peering.example.net", here: false }]);
    expect((await startAddition(loggedIn)).options.excludeCredentials).toEqual([]);

    const inner = openBrowser(server, "http://peering.example.dn42");
    const message = `Passkeys need an encrypted address with a name. Open the app at ${publicUrl}.`;
    expect(await inner.post("startPasskeyLogin")).toEqual({ status: 409, body: { message } });
    const innerOwner = await loggedInBrowser(server, username, "http://peering.example.dn42");
    expect(await innerOwner.post("startPasskeyAddition", { username })).toEqual({
      status: 409,
      body: { message },
    });
  });

  test("can be removed, and do not log in afterwards", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    const passkey = await addPasskey(browser);
    const user = openBrowser(server);
    await logInWith(user, passkey);
    expect(await browser.post("removePasskey", { username, id: "unknown" })).toMatchObject({
      status: 404,
      body: { field: "id" },
    });
    expect(await browser.post("removePasskey", { username, id: passkey.id })).toMatchObject({ status: 200 });
    expect(await listPasskeys(browser)).toEqual([]);
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 401 });
    expect(await isLoggedIn(user)).toBe(true);
    expect(await events(server)).toContain("passkey-removed: It is “Test device”.");
    await expect.poll(() => subjects(server)).toContain("Passkey removed");
  });

  test("are changed only within 15 minutes after the login", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    const passkey = await addPasskey(browser);
    const other = await addPasskey(browser, { name: "Other" });
    await logInWith(openBrowser(server), passkey);
    server.pass(15 * minuteMs);
    const started = await startAddition(browser);
    server.pass(1);
    const refused = {
      status: 403,
      body: {
        message: "This change needs a login of the last 15 minutes. Nothing was changed; log in again.",
        needs: "recent-login",
      },
    };
    expect(await browser.post("startPasskeyAddition", { username })).toEqual(refused);
    const body = { username, challenge: started.challenge, name: "Late" };
    const credential = { id: "AA", rawId: "AA", type: "public-key" };
    const response = { clientDataJSON: "AA", attestationObject: "AA" };
    expect(
      await browser.post("finishPasskeyAddition", { ...body, credential: { ...credential, response } }),
    ).toEqual(refused);
    expect(await browser.post("removePasskey", { username, id: other.id })).toEqual(refused);
    expect(await browser.post("turnPasswordOff", { username })).toEqual(refused);
    expect(await listPasskeys(browser)).toHaveLength(2);
    await logInWith(browser, passkey);
    expect(await browser.post("removePasskey", { username, id: other.id })).toMatchObject({ status: 200 });
  });

  test("are at most 20, with names of 1 to 60 visible characters", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    for (const name of ["", "   ", "a".repeat(61), "a\u202Eb", "a\nb"])
      await expect(addPasskey(browser, { name })).rejects.toThrow('"field":"name"');
    for (const name of ["é".repeat(60), ...Array.from({ length: 18 }, (_, index) => `Key ${index}`)])
      await addPasskey(browser, { name });
    const started = await startAddition(browser);
    await addPasskey(browser, { name: "The last one" });
    const message = "An AS can have 20 passkeys. Nothing was changed; remove one that you do not use.";
    await expect(startAddition(browser)).rejects.toThrow(message);
    const { credential } = createSoftwarePasskey(started.options, publicUrl);
    const late = { username, challenge: started.challenge, name: "Late", credential };
    expect(await browser.post("finishPasskeyAddition", late)).toMatchObject({ status: 409 });
    expect(await listPasskeys(browser)).toHaveLength(20);
  });

  test("obey a block of the AS, and survive it", async () => {
    await using server = await serve(await openDatabase());
    const passkey = await addPasskey(await registeredBrowser(server));
    const { db, events: channel } = server.database;
    await blockAccount({ db, events: channel, clock: () => Date.UTC(2026, 0, 20) }, username, "Leaks.");
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("is blocked: Leaks.") },
    });
    expect(await passwordLogin(server)).toMatchObject({ status: 403 });
  });

  test("of a former holder end when the operator accepts the new one", async () => {
    await using server = await serve(await openDatabase());
    const passkey = await addPasskey(await registeredBrowser(server));
    const { db } = server.database;
    await db.updateTable("accounts").set({ flagged_at: 1, flagged_holder: "OTHER-MNT" }).execute();
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 200 });
    await releaseAccount(db, username, Date.UTC(2026, 0, 20));
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 401 });
    expect(await events(server)).toContain(
      "account-released: Maintainers: OTHER-MNT. 1 passkey of the former holder was removed.",
    );
  });

  test("can be removed by the operator", async () => {
    const at = await openDatabase();
    await using server = await serve(at);
    const passkey = await addPasskey(await registeredBrowser(server));
    const remove = () => runOperatorCommand(runAccountsCommand, at, "--remove-passkeys", username);
    expect((await remove()).lines).toContain(
      "AS4242420001: 1 passkey removed. Its login sessions go on: see --end-login-sessions.",
    );
    expect(await remove()).toMatchObject({ code: 1 });
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 401 });
    expect(await events(server)).toContain("passkeys-removed-by-operator");
  });
});

async function turnOff(server: AccountServer) {
  const browser = await registeredBrowser(server);
  const passkey = await addPasskey(browser);
  await logInWith(browser, passkey);
  expect(await browser.post("turnPasswordOff", { username })).toEqual({ status: 200, body: {} });
  return { browser, passkey };
}

describeWithDatabase("an account without a password", { postgres: "share" }, (openDatabase) => {
  test("needs a passkey that has logged in before", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    const refused = { status: 409, body: { message: expect.stringContaining("Log in with a passkey once") } };
    expect(await browser.post("turnPasswordOff", { username })).toEqual(refused);
    const passkey = await addPasskey(browser);
    expect(await browser.post("turnPasswordOff", { username })).toEqual(refused);
    expect(await passwordLogin(server)).toMatchObject({ status: 200 });
    await logInWith(openBrowser(server), passkey);
    expect(await browser.post("turnPasswordOff", { username })).toMatchObject({ status: 200 });
    expect(await browser.post("turnPasswordOff", { username })).toMatchObject({ status: 409 });
    expect((await browser.post("getAccount", { username })).body).toMatchObject({ password_off: true });
    await expect.poll(() => subjects(server)).toContain("Password turned off");
  });

  test("refuses the password as a wrong one, after the same work, and logs in with the passkey", async () => {
    await using server = await serve(await openDatabase());
    const { passkey } = await turnOff(server);
    const before = server.derivations();
    expect(await passwordLogin(server)).toEqual({ status: 401, body: { message: "Invalid credentials" } });
    expect(server.derivations()).toBe(before + 1);
    expect(await logInWith(openBrowser(server), passkey)).toMatchObject({ status: 200 });
  });

  test("refuses a change of the password, and the removal of the last passkey", async () => {
    await using server = await serve(await openDatabase());
    const { browser, passkey } = await turnOff(server);
    const change = { username, current_password: goodPassword, password: "eleven lanterns over the bay" };
    expect(await browser.post("changePassword", change)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("The password is turned off.") },
    });
    const remove = () => browser.post("removePasskey", { username, id: passkey.id });
    expect(await remove()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("no other passkey would be left") },
    });
    // One that works at no public URL does not count.
    const { db } = server.database;
    const [row] = await db.selectFrom("passkeys").selectAll().execute();
    if (row)
      await db
        .insertInto("passkeys")
        .values({ ...row, id: "former", host: "former.example" })
        .execute();
    expect(await remove()).toMatchObject({ status: 409 });
    await addPasskey(browser, { name: "Second" });
    expect(await remove()).toMatchObject({ status: 200 });
  });

  test("gets its password back by a reset, which keeps the passkeys", async () => {
    await using server = await serve(await openDatabase());
    const { passkey } = await turnOff(server);
    await server.post("/api/sendEmailVerification", { asn: username, password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    const password = "eleven lanterns over the bay";
    expect(await server.post("/api/setPassword", { token, password })).toMatchObject({ status: 200 });
    expect(await passwordLogin(server, password)).toMatchObject({ status: 200 });
    const browser = openBrowser(server);
    expect(await logInWith(browser, passkey)).toMatchObject({ status: 200 });
    expect((await browser.post("getAccount", { username })).body).toMatchObject({ password_off: false });
    await expect.poll(() => subjects(server)).toContain("Password reset");
    const mails = await server.mailOutbox.listMails();
    expect(mails.find(({ subject }) => subject.startsWith("Password reset for"))?.text).toContain(
      "remove passkeys that you do not know",
    );
  });

  test("is deleted after a login of the last 15 minutes, with its passkeys", async () => {
    await using server = await serve(await openDatabase());
    const { browser, passkey } = await turnOff(server);
    server.pass(16 * minuteMs);
    expect(await browser.post("deleteAccount", { username })).toMatchObject({
      status: 403,
      body: { needs: "recent-login" },
    });
    await logInWith(browser, passkey);
    expect(await browser.post("deleteAccount", { username })).toMatchObject({
      status: 200,
      body: { state: "running" },
    });
    const { db } = server.database;
    expect(await finishDeletion(db, username, Date.UTC(2026, 0, 20))).toBe(true);
    expect(await db.selectFrom("passkeys").selectAll().execute()).toEqual([]);
  });

  test("keeps it if the login session ends while it is turned off", async () => {
    let endSessions: (() => Promise<unknown>) | null = null;
    const derive: typeof deriveFast = async (...given) => {
      await endSessions?.();
      return deriveFast(...given);
    };
    await using server = await serveAccounts(await openDatabase(), { publicUrl, passwords: { derive } });
    const browser = await registeredBrowser(server);
    const other = await loggedInBrowser(server);
    await logInWith(browser, await addPasskey(browser));
    endSessions = () => other.post("endAllLoginSessions", { username });
    expect(await browser.post("turnPasswordOff", { username })).toMatchObject({ status: 401 });
    endSessions = null;
    expect(await passwordLogin(server)).toMatchObject({ status: 200 });
    expect(await events(server)).not.toContain("password-turned-off");
  });

  test("needs the password for a deletion while it is on", async () => {
    await using server = await serve(await openDatabase());
    const browser = await registeredBrowser(server);
    expect(await browser.post("deleteAccount", { username })).toMatchObject({
      status: 422,
      body: { field: "password" },
    });
  });
});
