import { expect, test } from "vitest";
import { createLocalRateLimiter } from "./rate-limiters.ts";

test("a flood of keys forgets the key that was counted longest ago, and no more", async () => {
  const limiter = createLocalRateLimiter({ keyPrefix: "test", points: 1, duration: 3600 });
  const count = async (key: string) => (await limiter.consume(key).catch(() => null)) !== null;
  expect([await count("first"), await count("second"), await count("first")]).toEqual([true, true, false]);
  for (let key = 0; key < 49_999; key += 1) await limiter.consume(String(key));
  expect([await count("first"), await count("second")]).toEqual([false, true]);
});
