/** Many parallel sign-ins, and how they affect other requests. */
import { expect, test } from "vitest";
import { describeWithDatabase } from "../../support/databases.ts";
import { goodPassword, serveAccounts, registerAndLogIn, logIn } from "./account-server.ts";
import { createHeldHashing } from "./held-hashing.ts";

const login = (username: string, password: string) => ({ username, password });

describeWithDatabase("many parallel sign-ins", { postgres: "campaigns" }, (openDatabase) => {
  test("wait or are rejected with 429, while other requests are served and no account is locked", async () => {
    const hashing = createHeldHashing();
    await using server = await serveAccounts(await openDatabase(), {
      passwords: { derive: hashing.derive, concurrency: 1, maxWaiting: 16 },
    });
    const session = await registerAndLogIn(server);
    hashing.counts.max = 0;
    hashing.hold();
    const flood = Array.from({ length: 24 }, (_, index) =>
      server.post("/api/login/", login("4242420001", `guess ${index}`), {
        "x-forwarded-for": `198.51.100.${index + 1}`,
      }),
    );
    const strangers = Array.from({ length: 24 }, (_, index) =>
      server.post("/api/login/", login(String(4_242_420_100 + index), "guess"), {
        "x-forwarded-for": `203.0.113.${index + 1}`,
      }),
    );
    // All requests beyond the queue get a response while the hashing is held.
    const early: number[] = [];
    for (const response of [...flood, ...strangers]) void response.then(({ status }) => early.push(status));
    await expect.poll(() => early.length).toBe(48 - 17);
    expect(new Set(early)).toEqual(new Set([429]));
    for (let read = 0; read < 20; read += 1) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
    }
    hashing.release();
    const responses = await Promise.all([...flood, ...strangers]);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(17);
    for (const { status, headers } of responses) {
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(hashing.counts.max).toBe(1);
  });

  test("a request that is rejected because the queue is full is no failed attempt", async () => {
    const hashing = createHeldHashing();
    await using server = await serveAccounts(await openDatabase(), {
      passwords: { derive: hashing.derive, concurrency: 1, maxWaiting: 0 },
      limits: {
        failedLoginPerAs: { points: 2, seconds: 300 },
        failedLoginPerClient: { points: 3, seconds: 900 },
      },
    });
    await registerAndLogIn(server);
    hashing.hold();
    const occupying = server.post("/api/login/", login("4242420002", "anything"));
    await expect.poll(() => hashing.counts.running).toBe(1);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await server.post("/api/login/", login("4242420001", goodPassword))).toMatchObject({
        status: 429,
        body: {
          message:
            "Too many participants are logging in right now. Nothing was changed; try again in a few seconds.",
        },
      });
    }
    hashing.release();
    await occupying;
    expect(await logIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });
});

describeWithDatabase("a mail server that is down or slow", { postgres: "campaigns" }, (openDatabase) => {
  test("does not change the response, and receives the mail later", async () => {
    const delivered: string[] = [];
    let mailServer: "down" | "slow" | "up" = "down";
    const slow = Promise.withResolvers<void>();
    await using server = await serveAccounts(await openDatabase(), {
      deliver: async ({ to }) => {
        if (mailServer === "down") throw new Error("connect ECONNREFUSED 192.0.2.1:25");
        if (mailServer === "slow") await slow.promise;
        delivered.push(to);
      },
    });
    const requestLink = async (asn: string) => {
      const { status, body } = await server.post("/api/sendEmailVerification", { asn });
      return { status, body };
    };
    const accepted = {
      status: 200,
      body: { sent_to: [expect.stringMatching(/^.…@example\.(?:org|net|com)$/)] },
    };
    expect(await requestLink("4242420001")).toEqual(accepted);
    await expect.poll(() => server.log.join("\n")).toContain("mail postponed");
    mailServer = "slow";
    expect(await requestLink("4242420002")).toEqual(accepted);
    expect(delivered).toEqual([]);
    mailServer = "up";
    slow.resolve();
    await expect.poll(() => delivered.length).toBe(1);
    server.pass(60_000);
    server.mailOutbox.signal();
    await expect.poll(() => delivered).toContain("ada@example.org");
  });
});
