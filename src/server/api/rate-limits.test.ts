import { afterEach, expect, test, vi } from "vitest";
import { createLocalRateLimiter } from "../db/rate-limiters.ts";
import { createRateLimits, type LimitName, takeAll } from "./rate-limits.ts";

test("rejects the sixth mail for an AS within an hour, but not for another AS", async () => {
  const { mailPerAsAndClient } = createRateLimits(createLocalRateLimiter);
  for (let count = 0; count < 5; count += 1) await mailPerAsAndClient.take("4242420001");
  const message = "Too many mails for this AS number. Nothing was changed; wait 60 minutes and try again.";
  const rejected = { status: 429, body: { message }, retryAfterSeconds: 3600 };
  await expect(mailPerAsAndClient.take("4242420001")).rejects.toMatchObject(rejected);
  await mailPerAsAndClient.take("4242420002");
});

afterEach(() => void vi.useRealTimers());

test("accepts attempts again after the window", async () => {
  vi.useFakeTimers();
  const { failedLoginPerAs } = createRateLimits(createLocalRateLimiter);
  for (let count = 0; count < 10; count += 1) await failedLoginPerAs.take("4242420001");
  await expect(failedLoginPerAs.take("4242420001")).rejects.toMatchObject({ retryAfterSeconds: 300 });
  vi.advanceTimersByTime(300_000);
  await failedLoginPerAs.take("4242420001");
});

test("does not count what was given back, or rejected", async () => {
  const once = { failedLoginPerAs: { points: 1, seconds: 60 } };
  const { failedLoginPerAs } = createRateLimits(createLocalRateLimiter, once);
  for (let round = 0; round < 2; round += 1) {
    await failedLoginPerAs.take("4242420001");
    for (let count = 0; count < 3; count += 1)
      await expect(failedLoginPerAs.take("4242420001")).rejects.toMatchObject({ status: 429 });
    await failedLoginPerAs.giveBack("4242420001");
  }
});

test("a rejected attempt counts for no other limit and leaves nothing in memory", async () => {
  const limiters: Array<ReturnType<typeof createLocalRateLimiter>> = [];
  const { failedLoginPerAs, failedLoginPerClient } = createRateLimits(
    (options) => {
      const limiter = createLocalRateLimiter(options);
      limiters.push(limiter);
      return limiter;
    },
    { failedLoginPerAs: { points: 1, seconds: 300 } },
  );
  const attempt = (client: string) =>
    takeAll([...failedLoginPerClient.countsOf(client), { limit: failedLoginPerAs, key: "4242420001" }]);
  await attempt("192.0.2.1");
  for (const client of ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    await expect(attempt(client)).rejects.toMatchObject({ status: 429 });
  const counted = await Promise.all(
    ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(async (client) => {
      const counts = await Promise.all(limiters.map((limiter) => limiter.get(client)));
      return counts.find((count) => count !== null)?.consumedPoints ?? null;
    }),
  );
  expect(counted).toEqual([1, null, null]);
});

test("an excess is found without counting, and what has happened counts beyond the limit too", async () => {
  const { newClientMailPerAs: limit } = createRateLimits(createLocalRateLimiter, {
    newClientMailPerAs: { points: 2, seconds: 60 },
  });
  expect(await limit.findExcess("4242420001")).toBeNull();
  await limit.add("4242420001");
  expect(await limit.findExcess("4242420001")).toBeNull();
  await limit.add("4242420001");
  await limit.add("4242420001");
  expect(await limit.findExcess("4242420001")).toMatchObject({ status: 429, retryAfterSeconds: 60 });
  expect(await limit.findExcess("4242420002")).toBeNull();
});

test("an event counts as happened even if the database fails, and an attempt does not", async () => {
  const failure = new Error("the database fails");
  const { contactPerAs } = createRateLimits((options) =>
    Object.assign(createLocalRateLimiter(options), { consume: () => Promise.reject(failure) }),
  );
  await expect(contactPerAs.add("4242420001")).resolves.toBeUndefined();
  await expect(contactPerAs.take("4242420001")).rejects.toBe(failure);
});

const names = Object.keys(createRateLimits(createLocalRateLimiter)) as LimitName[];

test.each(names)("the error of %s says what there was too much of", async (name) => {
  const limit = createRateLimits(createLocalRateLimiter, { [name]: { points: 0, seconds: 60 } })[name];
  const counts = "countsOf" in limit ? limit.countsOf("192.0.2.1") : [{ limit, key: "4242420001" }];
  await expect(takeAll(counts)).rejects.toMatchObject({
    body: {
      message: expect.stringMatching(
        /^(?:Too many|BGP of this peering) [a-z A-Z]+\. Nothing was changed; wait a minute/,
      ),
    },
  });
});

test("the limit of a client is doubled for its /56, and again for its /48", async () => {
  const { failedLoginPerClient } = createRateLimits(createLocalRateLimiter, {
    failedLoginPerClient: { points: 2, seconds: 60 },
  });
  const accept = async (addresses: readonly string[]) => {
    let accepted = 0;
    for (const address of addresses) {
      await takeAll(failedLoginPerClient.countsOf(address)).then(
        () => (accepted += 1),
        () => undefined,
      );
    }
    return accepted;
  };
  const hosts = [1, 2, 3].map((host) => `2001:db8:1::${host}`);
  expect(await accept(hosts)).toBe(2);
  expect(await accept([1, 2, 3, 4].map((subnet) => `2001:db8:1:${subnet}::1`))).toBe(2);
  expect(await accept([1, 2, 3, 4, 5].map((site) => `2001:db8:1:${site}00::1`))).toBe(4);
  expect(await accept(["2001:db8:1:600::1", "2001:db8:2::1", "192.0.2.1"])).toBe(2);
});
