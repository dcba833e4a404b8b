import { expect, test } from "vitest";
import type { Failure } from "../../../src/contract/failure.ts";
import { describeEachDatabase } from "../../setup/databases.ts";
import { goodPassword, register, serveAccounts, signedIn, signIn } from "./account-server.ts";

const ask = "/api/sendEmailVerification";
const hourMs = 3_600_000;
const noAsns = [
  "AS4242420001",
  "04242420001",
  "0",
  "4294967296",
  "",
  " 4242420001",
  "４２４２４２０００１",
  "4242420001\u0000",
];
const noAsn = {
  message: 'This is not an AS number. Write it in digits alone, such as 4242420001, without "AS".',
  field: "asn",
};

describeEachDatabase("registration", (openDatabase) => {
  test("a mailed link sets the password, and with it one signs in, is known and signs out", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(ask, { asn: "4242420001" })).toMatchObject({ status: 200, body: {} });
    const [mail] = await server.outbox.kept();
    expect(mail).toMatchObject({
      to: "ada@example.org",
      subject: "Set your password for AS4242420001 at Example Network",
    });
    expect(mail?.text).toMatch(/^http:\/\/peering\.example\.net\/setPassword\?token=[\w-]{43}$/m);

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

  test("every address of the registry gets the same link", async () => {
    await using server = await serveAccounts(await openDatabase());
    await server.post(ask, { asn: "4242420009" });
    const mails = await server.outbox.kept();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([
      "iris.backup@example.com",
      "iris@example.net",
      "ivo@example.org",
    ]);
    expect(new Set(mails.map(({ text }) => text)).size).toBe(1);
  });

  test.each<[string, number, Failure]>([
    ["4242429999", 404, { message: "AS number cannot be found" }],
    [
      "4242422227",
      422,
      { message: "AS4242422227 is our own. Enter the AS number of your network.", field: "asn" },
    ],
    [
      "4242420014",
      422,
      {
        message:
          'The registry names no mail address for AS4242420014. Add "e-mail:" to the person object that its admin-c names, wait until the change is merged, and try again.',
        field: "asn",
      },
    ],
    ...noAsns.map((asn): [string, number, Failure] => [asn, 422, noAsn]),
  ])("AS number %j is refused with %i", async (asn, status, body) => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(ask, { asn })).toMatchObject({ status, body });
    expect(await server.outbox.kept()).toEqual([]);
  });

  test("who has an account cannot register, who has none cannot reset", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post(ask, { asn: "4242420001", password_reset: "Yes" })).toMatchObject({
      status: 404,
      body: { message: "AS number cannot be found" },
    });
    await register(server);
    expect(await server.post(ask, { asn: "4242420001" })).toMatchObject({
      status: 409,
      body: { message: "User already exists" },
    });
    expect(await server.post(ask, { asn: "4242420001", password_reset: "Yes" })).toMatchObject({
      status: 200,
    });
  });

  test("an old copy of the registry registers nobody, and resets go on", async () => {
    let stale = false;
    await using server = await serveAccounts(await openDatabase(), {
      registry: { age: async () => ({ days: stale ? 30 : 1, stale }) },
    });
    await register(server);
    stale = true;
    for (const asn of ["4242420002", "4242429999"]) {
      expect(await server.post(ask, { asn })).toMatchObject({
        status: 503,
        body: {
          message:
            "Our copy of the network's registry is missing or too old, so we cannot tell whom to write to. Nothing was changed; try again later or write to support@example.net.",
        },
      });
    }
    expect(await server.post(ask, { asn: "4242420001", password_reset: "Yes" })).toMatchObject({
      status: 200,
    });
  });

  test("a newer link ends the older one, and one of an hour ago is over", async () => {
    await using server = await serveAccounts(await openDatabase());
    const use = (token: string) => server.post("/api/setPassword", { token, password: goodPassword });
    const over = { status: 400, body: { message: "Invalid or expired token" } };

    await server.post(ask, { asn: "4242420001" });
    const first = await server.mailedToken("ada@example.org");
    server.pass(1000);
    await server.post(ask, { asn: "4242420001" });
    const second = await server.mailedToken("ada@example.org");
    expect(second).not.toBe(first);
    expect(await use(first)).toMatchObject(over);
    server.pass(hourMs);
    expect(await use(second)).toMatchObject(over);
  });

  test("a fifth mail is sent within an hour and no sixth; other AS numbers get theirs", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { mailPerAs: { points: 5, seconds: 3600 } },
    });
    for (let count = 0; count < 5; count += 1) {
      expect(await server.post(ask, { asn: "4242420001" })).toMatchObject({ status: 200 });
    }
    const sixth = await server.post(ask, { asn: "4242420001" });
    expect(sixth).toMatchObject({ status: 429 });
    expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(await server.outbox.kept()).toHaveLength(5);
    expect(await server.post(ask, { asn: "4242420002" })).toMatchObject({ status: 200 });
  });

  test("one client cannot walk through all AS numbers, whatever it claims to be", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { mailPerClient: { points: 3, seconds: 3600 } },
    });
    const walk = (asn: number, from: string) =>
      server.post(ask, { asn: String(asn) }, { "x-forwarded-for": from });
    for (let step = 0; step < 3; step += 1) {
      expect(await walk(4_242_429_000 + step, `10.9.9.${step}, 192.0.2.7`)).toMatchObject({ status: 404 });
    }
    expect(await walk(4_242_429_003, "198.51.100.1, 192.0.2.7")).toMatchObject({ status: 429 });
    expect(await walk(4_242_429_003, "198.51.100.1")).toMatchObject({ status: 404 });
  });

  test("an AS whose links are asked for at once has one that works", async () => {
    await using server = await serveAccounts(await openDatabase());
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => server.post(ask, { asn: "4242420001" })),
    );
    expect(asked.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const tokens = (await server.outbox.kept()).map(({ text }) => /token=(\S+)/.exec(text)?.[1] ?? "");
    expect(new Set(tokens).size).toBe(10);
    const uses = await Promise.all(
      tokens.map((token) => server.post("/api/setPassword", { token, password: goodPassword })),
    );
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describeEachDatabase("setting a password", (openDatabase) => {
  test("of a hundred that use a token at once, one sets its password", async () => {
    await using server = await serveAccounts(await openDatabase());
    await server.post(ask, { asn: "4242420001" });
    const token = await server.mailedToken("ada@example.org");
    const uses = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        server.post("/api/setPassword", { token, password: `${goodPassword} ${index}` }),
      ),
    );
    const winners = uses.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(uses.filter(({ status }) => status === 400)).toHaveLength(99);
    expect(await signIn(server, `${goodPassword} ${winners[0]}`)).not.toEqual({ cookie: "" });
  });

  test.each([
    ["short", "Use at least 8 characters; 15 or a sentence is better."],
    ["a".repeat(1025), "Use at most 1024 characters."],
    ["AS4242420001", "Your AS number is known to everybody. Choose something else."],
    [
      "AS4242420001!!",
      "This password is among the first that are tried. Choose one that nobody would guess, such as four random words.",
    ],
    [
      "Password123!",
      "This password is among the first that are tried. Choose one that nobody would guess, such as four random words.",
    ],
  ])("%j is refused and the link still works", async (password, message) => {
    await using server = await serveAccounts(await openDatabase());
    await server.post(ask, { asn: "4242420001" });
    const token = await server.mailedToken("ada@example.org");
    expect(await server.post("/api/setPassword", { token, password })).toMatchObject({
      status: 422,
      body: { message, field: "password" },
    });
    expect(server.derivations()).toBe(0);
    expect(await server.post("/api/setPassword", { token, password: goodPassword })).toMatchObject({
      status: 200,
    });
  });

  test.each(["", "x", "a".repeat(43), "a".repeat(10_000), "../../etc/passwd", "' or 1=1 --"])(
    "the token %j is none, whatever the password",
    async (token) => {
      await using server = await serveAccounts(await openDatabase());
      expect(await server.post("/api/setPassword", { token, password: "short" })).toMatchObject({
        status: 400,
        body: { message: "Invalid or expired token" },
      });
    },
  );

  test("a new password ends every session and the old password", async () => {
    await using server = await serveAccounts(await openDatabase());
    const first = await signedIn(server);
    const second = await signIn(server, goodPassword);
    for (const session of [first, second]) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
    }
    await server.post(ask, { asn: "4242420001", password_reset: "Yes" });
    const token = await server.mailedToken("ada@example.org");
    await server.post("/api/setPassword", { token, password: "another sentence of mine" });
    for (const session of [first, second]) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: false });
    }
    expect(await signIn(server, goodPassword)).toEqual({ cookie: "" });
    expect(await signIn(server, "another sentence of mine")).not.toEqual({ cookie: "" });
  });
});
