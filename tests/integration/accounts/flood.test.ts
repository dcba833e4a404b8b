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

const linkPath = "/api/sendEmailVerification";

/** A registry in which every AS has three contacts. */
const everyAs = {
  findHolder: async () => "SOME-MNT",
  findContacts: async (asn: string) => ({
    found: true as const,
    addresses: ["a", "b", "c"].map((name) => `${name}@as${asn}.example.net`),
    altered: null,
    unreachable: null,
  }),
};

/** Where the requests of a flood come from: two addresses in each of three networks, and every /64 of a /48. */
const floodClients = Array.from({ length: 80 }, (_, index) => {
  const networks = ["192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:1:"] as const;
  const network = networks[index % 4] ?? "";
  return network.endsWith(":") ? `${network}${index}::1` : `${network}${1 + (index % 8)}`;
});

describeWithDatabase("a flood of requested links", { postgres: "share" }, (openDatabase) => {
  test("delays mails of other clients and of the server by one turn of each flooding network", async () => {
    const open = Promise.withResolvers<void>();
    const order: string[] = [];
    await using server = await serveAccounts(await openDatabase(), {
      registry: everyAs,
      limits: { mailOfServer: { points: 1000, seconds: 60 } },
      deliver: async ({ to, subject }) => {
        await open.promise;
        order.push(`${subject.split(" for ")[0] ?? ""}: ${to}`);
      },
    });
    const request = async (asn: number, client: string) => {
      const { status } = await server.post(linkPath, { asn: String(asn) }, { "x-forwarded-for": client });
      expect(status).toBe(200);
    };
    const account = { asn: "4242420001", mailbox: "a@as4242420001.example.net" };
    await server.post(linkPath, { asn: account.asn });
    const token = await server.mailedToken(account.mailbox);
    await server.post("/api/setPassword", { token, password: goodPassword });
    await logIn(server, goodPassword);
    for (const [index, client] of floodClients.entries()) await request(4_242_421_000 + index, client);

    await request(4_242_422_001, "100.64.9.1");
    // A neighbour of two flooding clients.
    await request(4_242_422_002, "192.0.2.200");
    // Another login of the account: the server mails a notice.
    await logIn(server, goodPassword);
    await expect.poll(async () => JSON.stringify(await server.mailOutbox.listMails())).toContain("New login");
    open.resolve();
    await expect.poll(() => order.length, { timeout: 20_000 }).toBeGreaterThan(3 * floodClients.length + 6);

    const place = (text: string) => order.findIndex((each) => each.includes(text));
    const parties = 6;
    // Up to four mails were in delivery before, and four at once end in any order.
    expect(place("as4242422001")).toBeLessThan(4 + parties + 4);
    expect(place("New login")).toBeLessThan(4 + parties + 4);
    expect(place("as4242422002")).toBeLessThan(4 + 3 * parties + 4);
  });

  test("uses up the links of the server, except those that networks without a link can still request", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      registry: everyAs,
      limits: {
        mailOfServer: { points: 3, seconds: 1200 },
        mailOfNewNetworks: { points: 2, seconds: 1200 },
      },
    });
    const request = async (asn: number, client: string, headers = {}) => {
      const asked = { asn: String(asn) };
      const { status, body } = await server.post(linkPath, asked, { "x-forwarded-for": client, ...headers });
      return status === 429 ? (body as { readonly message: string }).message : status;
    };
    const clients = ["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1:4::1"];
    const asked: unknown[] = [];
    for (const [index, client] of clients.entries()) asked.push(await request(4_242_421_000 + index, client));
    const tooMany =
      "Too many links were requested from the server. Nothing was changed; wait 20 minutes and try again.";
    expect(asked).toEqual([200, 200, 200, tooMany]);
    const others = ["192.0.2.1", "192.0.2.2", "198.51.100.1", "203.0.113.1"];
    const later: unknown[] = [];
    for (const [index, client] of others.entries()) later.push(await request(4_242_422_000 + index, client));
    expect(later).toEqual([200, tooMany, 200, tooMany]);
    expect(await server.mailOutbox.listMails()).toHaveLength(15);
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
