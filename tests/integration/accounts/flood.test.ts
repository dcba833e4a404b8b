/** Many who sign in at once, and what that costs everybody else. */
import { expect, test } from "vitest";
import type { Derive } from "../../../src/server/features/accounts/password-hash.ts";
import { describeEachDatabase } from "../../setup/databases.ts";
import { goodPassword, serveAccounts, signedIn, signIn } from "./account-server.ts";

const login = (username: string, password: string) => ({ username, password });

/** Hashing that a test holds up, and that counts how many run at once. */
function heldHashing() {
  const started: Array<() => void> = [];
  const counts = { running: 0, most: 0 };
  let held = false;
  const derive: Derive = async (password, salt, _cost, length) => {
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    if (held) await new Promise<void>((resolve) => void started.push(resolve));
    counts.running -= 1;
    return Buffer.concat([salt, Buffer.from(password.padEnd(length, "."))]).subarray(0, length);
  };
  return {
    derive,
    counts,
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      for (const go of started.splice(0)) go();
    },
  };
}

describeEachDatabase("64 who sign in at once", (openDatabase) => {
  test("wait or are told to come back, while others are served and nobody is locked out", async () => {
    const hashing = heldHashing();
    await using server = await serveAccounts(await openDatabase(), {
      passwords: { derive: hashing.derive, atOnce: 1, waiting: 16 },
    });
    const session = await signedIn(server);
    hashing.counts.most = 0;
    hashing.hold();
    const flood = Array.from({ length: 64 }, (_, index) =>
      server.post("/api/login/", login("4242420001", `guess ${index}`), {
        "x-forwarded-for": `198.51.100.${index + 1}`,
      }),
    );
    const strangers = Array.from({ length: 64 }, (_, index) =>
      server.post("/api/login/", login(String(4_242_420_100 + index), "guess"), {
        "x-forwarded-for": `203.0.113.${index + 1}`,
      }),
    );
    // All but those that hash or wait for it are answered while nothing is hashed at all.
    const early: number[] = [];
    for (const answer of [...flood, ...strangers]) void answer.then(({ status }) => early.push(status));
    await expect.poll(() => early.length).toBe(128 - 17);
    expect(new Set(early)).toEqual(new Set([429]));
    for (let read = 0; read < 20; read += 1) {
      expect((await server.get("/api/auth-status/", session)).body).toMatchObject({ isAuthenticated: true });
    }
    hashing.release();
    const answers = await Promise.all([...flood, ...strangers]);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(17);
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(hashing.counts.most).toBe(1);
  });

  test("who was sent away because too many were there has not failed", async () => {
    const hashing = heldHashing();
    await using server = await serveAccounts(await openDatabase(), {
      passwords: { derive: hashing.derive, atOnce: 1, waiting: 0 },
      limits: { signInPerAs: { points: 2, seconds: 300 }, signInPerClient: { points: 3, seconds: 900 } },
    });
    await signedIn(server);
    hashing.hold();
    const occupying = server.post("/api/login/", login("4242420002", "anything"));
    await expect.poll(() => hashing.counts.running).toBe(1);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await server.post("/api/login/", login("4242420001", goodPassword))).toMatchObject({
        status: 429,
        body: {
          message:
            "Too many people are signing in right now. Nothing was changed; try again in a few seconds.",
        },
      });
    }
    hashing.release();
    await occupying;
    expect(await signIn(server, goodPassword)).not.toEqual({ cookie: "" });
  });

  test("guesses of others keep the owner out until the window is over, and not longer", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { signInPerAs: { points: 2, seconds: 1 } },
    });
    await signedIn(server);
    for (let guess = 0; guess < 3; guess += 1) {
      await server.post("/api/login/", login("4242420001", "guess"), { "x-forwarded-for": "198.51.100.1" });
    }
    await expect.poll(() => signIn(server, goodPassword), { timeout: 5_000 }).not.toEqual({ cookie: "" });
  });

  test("a cookie that somebody planted is nobody's session after signing in", async () => {
    await using server = await serveAccounts(await openDatabase());
    await signedIn(server);
    const planted = { cookie: `peerdeck=${"A".repeat(43)}` };
    const answer = await server.post("/api/login/", login("4242420001", goodPassword), planted);
    expect(answer.headers.get("set-cookie")).toMatch(/^peerdeck=(?!A{43})/);
    expect((await server.get("/api/auth-status/", planted)).body).toMatchObject({ isAuthenticated: false });
  });
});

describeEachDatabase("a mail server that is down, slow or refuses", (openDatabase) => {
  test("changes nothing of what the person is told, and gets the mail later", async () => {
    const taken: string[] = [];
    let how: "down" | "slow" | "well" = "down";
    const slow = Promise.withResolvers<void>();
    await using server = await serveAccounts(await openDatabase(), {
      deliver: async ({ to }) => {
        if (how === "down") throw new Error("connect ECONNREFUSED 192.0.2.1:25");
        if (how === "slow") await slow.promise;
        taken.push(to);
      },
    });
    const ask = async (asn: string) => {
      const { status, body } = await server.post("/api/sendEmailVerification", { asn });
      return { status, body };
    };
    const told = { status: 200, body: {} };
    expect(await ask("4242420001")).toEqual(told);
    await expect.poll(() => server.log.join("\n")).toContain("will be tried again");
    how = "slow";
    expect(await ask("4242420002")).toEqual(told);
    expect(taken).toEqual([]);
    how = "well";
    slow.resolve();
    await expect.poll(() => taken.length).toBe(1);
    server.pass(60_000);
    server.outbox.wake();
    await expect.poll(() => taken).toContain("ada@example.org");
  });
});
