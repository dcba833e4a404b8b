import { afterEach, expect, test, vi } from "vitest";
import { createLocalRateLimiter } from "../db/rate-limiters.ts";
import { createRateLimits, takeAll } from "./rate-limits.ts";

test("rejects the sixth mail for an AS within an hour, but not for another AS", async () => {
  const { mailPerAsAndClient } = createRateLimits(createLocalRateLimiter);
  for (let count = 0; count < 5; count += 1) await mailPerAsAndClient.take("4242420001");
  await expect(mailPerAsAndClient.take("4242420001")).rejects.toMatchObject({
    status: 429,
    body: {
      message: "Too many mails for this AS number. Nothing was changed; wait 60 minutes and try again.",
    },
    retryAfterSeconds: 3600,
  });
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

test("does not count what was given back", async () => {
  const { failedLoginPerAs } = createRateLimits(createLocalRateLimiter, {
    failedLoginPerAs: { points: 1, seconds: 60 },
  });
  await failedLoginPerAs.take("4242420001");
  await failedLoginPerAs.giveBack("4242420001");
  await failedLoginPerAs.take("4242420001");
  await expect(failedLoginPerAs.take("4242420001")).rejects.toMatchObject({
    status: 429,
    body: {
      message: "Too many failed logins. Nothing was changed; wait a minute and try again.",
    },
  });
});

test("does not count what was rejected", async () => {
  const { failedLoginPerAs } = createRateLimits(createLocalRateLimiter, {
    failedLoginPerAs: { points: 1, seconds: 60 },
  });
  await failedLoginPerAs.take("4242420001");
  for (let count = 0; count < 3; count += 1)
    await expect(failedLoginPerAs.take("4242420001")).rejects.toMatchObject({ status: 429 });
  await failedLoginPerAs.giveBack("4242420001");
  await failedLoginPerAs.take("4242420001");
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
    takeAll([
      { limit: failedLoginPerClient, key: client },
      { limit: failedLoginPerAs, key: "4242420001" },
    ]);
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
