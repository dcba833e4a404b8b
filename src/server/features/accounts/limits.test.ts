import { afterEach, expect, test, vi } from "vitest";
import { clientKey, createLimits } from "./limits.ts";

test("the sixth mail for an AS within an hour is refused, and other AS numbers are not", async () => {
  const { mailPerAs } = createLimits();
  for (let count = 0; count < 5; count += 1) await mailPerAs.take("4242420001");
  await expect(mailPerAs.take("4242420001")).rejects.toMatchObject({
    status: 429,
    failure: {
      message: "Too many mails for this AS number. Nothing was changed; wait 60 minutes and try again.",
    },
    retryAfterSeconds: 3600,
  });
  await mailPerAs.take("4242420002");
});

afterEach(() => void vi.useRealTimers());

test("nobody is locked out: the window passes, and it starts anew", async () => {
  vi.useFakeTimers();
  const { signInPerAs } = createLimits();
  for (let count = 0; count < 10; count += 1) await signInPerAs.take("4242420001");
  await expect(signInPerAs.take("4242420001")).rejects.toMatchObject({ retryAfterSeconds: 300 });
  vi.advanceTimersByTime(300_000);
  await signInPerAs.take("4242420001");
});

test("what was given back does not count", async () => {
  const { signInPerAs } = createLimits({ signInPerAs: { points: 1, seconds: 60 } });
  await signInPerAs.take("4242420001");
  await signInPerAs.giveBack("4242420001");
  await signInPerAs.take("4242420001");
  await expect(signInPerAs.take("4242420001")).rejects.toMatchObject({
    status: 429,
    failure: {
      message: "Too many failed attempts to sign in. Nothing was changed; wait a minute and try again.",
    },
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::1", "2001:db8:1:2::"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, key) => {
  expect(clientKey(address)).toBe(key);
});
