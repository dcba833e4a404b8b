import { afterEach, expect, test, vi } from "vitest";
import { toClientKey, createRateLimits } from "./rate-limits.ts";

test("rejects the sixth mail for an AS within an hour, but not for another AS", async () => {
  const { mailPerAs } = createRateLimits();
  for (let count = 0; count < 5; count += 1) await mailPerAs.take("4242420001");
  await expect(mailPerAs.take("4242420001")).rejects.toMatchObject({
    status: 429,
    body: {
      message: "Too many mails for this AS number. Nothing was changed; wait 60 minutes and try again.",
    },
    retryAfterSeconds: 3600,
  });
  await mailPerAs.take("4242420002");
});

afterEach(() => void vi.useRealTimers());

test("accepts attempts again after the window", async () => {
  vi.useFakeTimers();
  const { loginPerAs } = createRateLimits();
  for (let count = 0; count < 10; count += 1) await loginPerAs.take("4242420001");
  await expect(loginPerAs.take("4242420001")).rejects.toMatchObject({ retryAfterSeconds: 300 });
  vi.advanceTimersByTime(300_000);
  await loginPerAs.take("4242420001");
});

test("does not count what was given back", async () => {
  const { loginPerAs } = createRateLimits({ loginPerAs: { points: 1, seconds: 60 } });
  await loginPerAs.take("4242420001");
  await loginPerAs.giveBack("4242420001");
  await loginPerAs.take("4242420001");
  await expect(loginPerAs.take("4242420001")).rejects.toMatchObject({
    status: 429,
    body: {
      message: "Too many failed attempts to sign in. Nothing was changed; wait a minute and try again.",
    },
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::1", "2001:db8:1:2::"],
  ["unknown", "unknown"],
])("counts %s as %s", (address, key) => {
  expect(toClientKey(address)).toBe(key);
});
