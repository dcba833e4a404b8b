import { expect, onTestFinished, test } from "vitest";
import type { ErrorBody } from "#contract/http-error.ts";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { goodPassword, register, serveAccounts, registerAndLogIn, logIn } from "./account-server.ts";

const requestLinkPath = "/api/sendEmailVerification";
const hourMs = 3_600_000;
describeWithDatabase("registration", { postgres: "campaigns" }, (openDatabase) => {
  test("a mailed link sets the password, which then logs in and out", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(requestLinkPath, { asn: "4242420001" })).toMatchObject({
      status: 200,
      body: { sent_to: ["a…@example.org"] },
    });
    const [mail] = await server.mailOutbox.listMails();
    expect(mail).toMatchObject({
      to: "ada@example.org",
      subject: "Set your password for AS4242420001 at Example Network",
    });
    expect(mail?.text).toMatch(
      /^http:\/\/peering\.example\.net\/setPassword\?token=[\w-]{43}&purpose=registration$/m,
    );

    const token = await server.mailedToken("ada@example.org");
    expect(await server.post("/api/setPassword", { token, password: goodPassword })).toMatchObject({
      status: 200,
      body: {},
    });
    const login = await server.post("/api/login/", { username: "4242420001", password: goodPassword });
    expect(login).toMatchObject({ status: 200, body: {} });
    const session = { cookie: (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    expect((await server.get("/api/auth-status/", session)).body).toEqual({
      isAuthenticated: true,
      username: "4242420001",
    });
    const logout = await server.post("/api/logout/", null, session);
    expect(logout).toMatchObject({ status: 200, body: {} });
    expect(logout.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await server.get("/api/auth-status/", session)).body).toEqual({
      isAuthenticated: false,
      username: "",
    });
  });

  test("every address in the registry receives the same link", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(requestLinkPath, { asn: "4242420009" })).toMatchObject({
      status: 200,
      body: { sent_to: ["i…@example.net", "i…@example.com", "i…@example.org"] },
    });
    const mails = await server.mailOutbox.listMails();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([
      "iris.backup@example.com",
      "iris@example.net",
      "ivo@example.org",
    ]);
    expect(new Set(mails.map(({ text }) => text)).size).toBe(1);
  });

  test("an AS number without a usable address is rejected, and the error says why", async () => {
    await using server = await serveAccounts(await openDatabase());
    for (const [asn, status, field, message] of [
      ["4242429999", 404, undefined, "cannot be found"],
      ["4242422227", 422, "asn", "is our own"],
      ["4242420014", 422, "asn", "lists no email address"],
      ["4242420015", 422, "asn", "lists only an altered email address"],
      ["AS04242420001", 422, "asn", "not an AS number"],
      ["64496.1", 422, "asn", "not an AS number"],
    ] as const) {
      const { status: actual, body } = await server.post(requestLinkPath, { asn });
      const error = body as ErrorBody;
      expect([asn, actual, error.field]).toEqual([asn, status, field]);
      expect(error.message).toContain(message);
    }
    expect(await server.mailOutbox.listMails()).toEqual([]);
  });

  test("the response names the first character and the domain of each address, once", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      registry: {
        findContacts: async () => ({
          found: true,
          addresses: ["a@example.net", "ada.lovelace+noc@example.net", "b@example.org"],
          altered: null,
          unreachable: null,
        }),
      },
    });
    expect((await server.post(requestLinkPath, { asn: "4242420001" })).body).toEqual({
      sent_to: ["a…@example.net", "b…@example.org"],
    });
  });

  test("an altered address is named by its line and object, and never shown", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      registry: {
        findContacts: async () => ({
          found: true,
          addresses: [],
          altered: { object: "role/ADA-NOC", key: "contact", position: 2, count: 3 },
          unreachable: null,
        }),
      },
    });
    expect(await server.post(requestLinkPath, { asn: "4242420001" })).toMatchObject({
      status: 422,
      body: {
        message:
          'The registry lists only an altered email address for AS4242420001, such as one with "NOSPAM" or "(at)", so we sent no mail. Write the plain address into the 2nd "contact:" line of role/ADA-NOC, wait until the change is merged, and try again.',
        field: "asn",
      },
    });
    expect(await server.mailOutbox.listMails()).toEqual([]);
  });

  test("addresses that the mail server cannot reach are skipped, and the error names the object of the only one", async () => {
    const folder = await createScratchFolder(onTestFinished);
    await writeRegistryFiles(folder, {
      "aut-num/AS4242420001": "admin-c: A-P\nmnt-by: A-MNT",
      "person/A-P": "contact: irc: ada\ncontact: ada@ada.DN42",
      "aut-num/AS4242420002": "admin-c: R\nmnt-by: A-MNT",
      "role/R": "e-mail: noc@ada.dn42\nadmin-c: B-P",
      "person/B-P": "e-mail: b@b.dn42, bob@notdn42.example.org",
      "aut-num/AS4242420003": "admin-c: A-P\ntech-c: C-P\nmnt-by: A-MNT",
      "person/C-P": "e-mail: c@example.net",
    });
    await using server = await serveAccounts(await openDatabase(), {
      createRegistrySource: () => createFolderSource(folder),
      unreachableDomains: ["dn42"],
    });
    expect(await server.post(requestLinkPath, { asn: "4242420001" })).toMatchObject({
      status: 422,
      body: {
        message:
          "The registry lists only an email address under dn42 for AS4242420001, which our mail server cannot reach, so we sent no mail. " +
          'Write an address on the internet into the 2nd "contact:" line of person/A-P, wait until the change is merged, and try again.',
        field: "asn",
      },
    });
    for (const [asn, sentTo] of [
      ["4242420002", "b…@notdn42.example.org"],
      ["4242420003", "c…@example.net"],
    ])
      expect((await server.post(requestLinkPath, { asn })).body).toEqual({ sent_to: [sentTo] });
    expect((await server.mailOutbox.listMails()).map(({ to }) => to).toSorted()).toEqual([
      "bob@notdn42.example.org",
      "c@example.net",
    ]);
  });

  test("an AS with an account cannot register, and one without cannot reset", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(requestLinkPath, { asn: "4242420001", password_reset: "Yes" })).toMatchObject({
      status: 404,
      body: { message: "AS number cannot be found" },
    });
    await register(server);
    expect(await server.post(requestLinkPath, { asn: "4242420001" })).toMatchObject({
      status: 409,
      body: { message: "User already exists" },
    });
    expect(await server.post(requestLinkPath, { asn: "4242420001", password_reset: "Yes" })).toMatchObject({
      status: 200,
    });
  });

  test("with an outdated registry copy, registrations and resets are rejected", async () => {
    let stale = false;
    await using server = await serveAccounts(await openDatabase(), {
      registry: { readAge: async () => ({ days: stale ? 30 : 1, stale }) },
    });
    await register(server);
    stale = true;
    const reset = { asn: "4242420001", password_reset: "Yes" };
    for (const requestBody of [{ asn: "4242420002" }, { asn: "4242429999" }, reset]) {
      expect(await server.post(requestLinkPath, requestBody)).toMatchObject({
        status: 503,
        body: {
          message:
            "Our copy of the network's registry is missing or outdated, so we cannot look up who holds the AS. Nothing was changed. Try again later or write to support@example.net.",
        },
      });
    }
  });

  test("a newer link replaces the older one, and a link expires after an hour", async () => {
    await using server = await serveAccounts(await openDatabase());
    const use = (token: string) => server.post("/api/setPassword", { token, password: goodPassword });
    const over = { status: 400, body: { message: "Invalid or expired token" } };

    await server.post(requestLinkPath, { asn: "4242420001" });
    const first = await server.mailedToken("ada@example.org");
    server.pass(1000);
    await server.post(requestLinkPath, { asn: "4242420001" });
    const second = await server.mailedToken("ada@example.org");
    expect(second).not.toBe(first);
    expect(await use(first)).toMatchObject(over);
    server.pass(hourMs);
    expect(await use(second)).toMatchObject(over);
  });

  test("one client cannot try all AS numbers, whatever X-Forwarded-For it sends", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { mailPerClient: { points: 3, seconds: 3600 } },
    });
    const request = (asn: number, from: string) =>
      server.post(requestLinkPath, { asn: String(asn) }, { "x-forwarded-for": from });
    for (let step = 0; step < 3; step += 1) {
      expect(await request(4_242_429_000 + step, `10.9.9.${step}, 192.0.2.7`)).toMatchObject({ status: 404 });
    }
    expect(await request(4_242_429_003, "198.51.100.1, 192.0.2.7")).toMatchObject({ status: 429 });
    expect(await request(4_242_429_003, "198.51.100.1")).toMatchObject({ status: 404 });
  });
});

describeWithDatabase("setting a password", { postgres: "campaigns" }, (openDatabase) => {
  test("a rejected password does not use up the link, and a token that was not mailed is invalid", async () => {
    await using server = await serveAccounts(await openDatabase());
    await server.post(requestLinkPath, { asn: "4242420001" });
    const mailed = await server.mailedToken("ada@example.org");
    for (const [token, password, expected] of [
      ["", "short", { status: 400, body: { message: "Invalid or expired token" } }],
      ["a".repeat(43), "short", { status: 400 }],
      ["a".repeat(10_000), "short", { status: 400 }],
      [mailed, "short", { status: 422, body: { field: "password" } }],
      [mailed, "AS4242420001", { status: 422, body: { field: "password" } }],
      [mailed, "as 4242 420 001", { status: 422, body: { field: "password" } }],
    ] as const)
      expect(await server.post("/api/setPassword", { token, password })).toMatchObject(expected);
    expect(server.derivations()).toBe(0);
    const set = await server.post("/api/setPassword", { token: mailed, password: goodPassword });
    expect(set.status).toBe(200);
  });

  test("attempts of one client are limited, and other clients are not affected", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { setPasswordPerClient: { points: 3, seconds: 900 } },
    });
    const attempt = (index: number, from: string) =>
      server.post(
        "/api/setPassword",
        { token: String(index).padStart(43, "A"), password: goodPassword },
        { "x-forwarded-for": from },
      );
    for (let index = 0; index < 3; index += 1)
      expect(await attempt(index, "198.51.100.1")).toMatchObject({ status: 400 });
    expect(await attempt(3, "198.51.100.1")).toMatchObject({ status: 429 });
    expect(await attempt(3, "198.51.100.2")).toMatchObject({ status: 400 });
    expect(server.derivations()).toBe(0);
  });

  test("a new password ends every login session and replaces the old password", async () => {
    await using server = await serveAccounts(await openDatabase());
    const first = await registerAndLogIn(server);
    const second = await logIn(server, goodPassword);
    for (const session of [first, second]) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
    }
    await server.post(requestLinkPath, { asn: "4242420001", password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    await server.post("/api/setPassword", { token, password: "another sentence of mine" });
    for (const session of [first, second]) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: false });
    }
    expect(await logIn(server, goodPassword)).toEqual({ cookie: "" });
    expect(await logIn(server, "another sentence of mine")).not.toEqual({ cookie: "" });
  });
});

describeWithDatabase("parallel requests of one AS", { postgres: "always" }, (openDatabase) => {
  test("of parallel link requests for one AS, one link works", async () => {
    await using server = await serveAccounts(await openDatabase());
    const requested = await Promise.all(
      Array.from({ length: 10 }, () => server.post(requestLinkPath, { asn: "4242420001" })),
    );
    expect(requested.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const tokens = (await server.mailOutbox.listMails()).map(
      ({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? "",
    );
    expect(new Set(tokens).size).toBe(10);
    const uses = await Promise.all(
      tokens.map((token) => server.post("/api/setPassword", { token, password: goodPassword })),
    );
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("of a hundred parallel uses of a token, one sets its password", async () => {
    await using server = await serveAccounts(await openDatabase());
    await server.post(requestLinkPath, { asn: "4242420001" });
    const token = await server.mailedToken("ada@example.org");
    const uses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        server.post("/api/setPassword", { token, password: `${goodPassword} ${index}` }),
      ),
    );
    const winners = uses.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(uses.filter(({ status }) => status === 400)).toHaveLength(99);
    expect(await logIn(server, `${goodPassword} ${winners[0]}`)).not.toEqual({ cookie: "" });
  });
});
