/** Logins that fill the queue of password hashes. */
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPasswordHasher } from "#server/features/accounts/passwords.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { deriveFast } from "../../support/fast-passwords.ts";
import { goodPassword, serveAccounts } from "./account-server.ts";
import { createHeldHashing } from "./held-hashing.ts";
import {
  accountRow,
  becomeKnown,
  createAccounts,
  logIn,
  mailAddress,
  owner,
  readCookie,
  requestReset,
  send,
  stranger,
} from "./lockout-scene.ts";

describeWithDatabase("one account", { postgres: "campaigns" }, (openDatabase) => {
  test.each([
    ["many addresses", (index: number) => stranger(index % 40)],
    ["the address of the others", () => "203.0.113.1"],
  ])("with many parallel logins from %s leaves room for everybody else", async (_from, address) => {
    const hashing = createHeldHashing();
    await using server = await serveAccounts(await openDatabase(), {
      passwords: { derive: hashing.derive, concurrency: 1 },
    });
    const others = Array.from({ length: 20 }, (_, index) => String(4_242_420_100 + index));
    const hash = await createPasswordHasher({ derive: hashing.derive }).hash(goodPassword, ["test"]);
    const rows = [owner, ...others].map((asn) => accountRow(asn, hash));
    await server.database.db.insertInto("accounts").values(rows).execute();
    const cookie = await becomeKnown(server);
    hashing.hold();

    const flood = Array.from({ length: 60 }, (_, index) =>
      logIn(server, owner, goodPassword, {
        address: address(index),
        ...(index % 2 === 0 && { cookie }),
      }),
    );
    let rejected = 0;
    for (const response of flood) void response.then(({ status }) => (rejected += status === 429 ? 1 : 0));
    await expect.poll(() => rejected).toBe(40);
    const logins = others.map((asn) => logIn(server, asn, goodPassword, { address: "203.0.113.1" }));
    // Gives the logins time to reach the queue, or to be rejected.
    for (let read = 0; read < 20; read += 1)
      await server.get("/api/auth-status/", { cookie: `peerdeck=${"A".repeat(43)}` });
    hashing.release();
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    await Promise.all(flood);
  });
});

describeWithDatabase("a storm of wrong logins", { postgres: "campaigns" }, (openDatabase) => {
  test.each([
    ["the /64s of a /56", (index: number) => `2001:db8:1:${index.toString(16).padStart(2, "0")}::1`],
    ["the /56s of a /48", (index: number) => `2001:db8:1:${index.toString(16)}00::1`],
  ])("from %s leaves room for every other login, link and change of a password", async (_from, address) => {
    await using server = await serveAccounts(await openDatabase(), {
      passwords: {
        derive: async (...given) => {
          await setTimeout(5);
          return deriveFast(...given);
        },
        concurrency: 1,
      },
      limits: { failedLoginPerClient: { points: 1_000_000, seconds: 900 } },
    });
    const others = Array.from({ length: 24 }, (_, index) => String(4_242_420_100 + index));
    await createAccounts(server, [owner, ...others]);
    const cookies = await Promise.all(others.slice(12).map((asn) => becomeKnown(server, asn)));
    const session = readCookie(await logIn(server, owner, goodPassword), "peerdeck");
    await requestReset(server);
    const token = await server.mailedToken(mailAddress);

    const statuses: number[] = [];
    const over = new AbortController();
    const storm = Array.from({ length: 70 }, async (_, index) => {
      for (let attempt = 0; !over.signal.aborted; attempt += 1) {
        const asn = String(4_242_430_000 + index * 1000 + attempt);
        const { status } = await logIn(server, asn, "a guess", { address: address(index) });
        statuses.push(status);
        if (status === 429) await setTimeout(20);
      }
    });
    await expect.poll(() => statuses.filter((status) => status === 429).length).toBeGreaterThan(70);
    const inStorm = { address: address(200) };
    const responses = await Promise.all([
      ...others.map((asn, index) =>
        logIn(server, asn, goodPassword, {
          address: `203.0.113.${index}`,
          cookie: cookies[index - 12] ?? "",
        }),
      ),
      send(
        server,
        "/api/changePassword",
        { username: owner, current_password: goodPassword, password: "yet another sentence" },
        { ...inStorm, cookie: session },
      ),
      send(server, "/api/setPassword", { token, password: "another sentence" }, inStorm),
    ]);
    over.abort();
    await Promise.all(storm);
    // The link is used before the change ends, which then finds another password, or after it, which ends the link.
    expect(responses.slice(0, 24).map(({ status }) => status)).toEqual(others.map(() => 200));
    expect(responses.slice(24).map(({ status }) => status)).not.toContain(429);
  });
});
