import { expect, test } from "vitest";
import { createRateLimits } from "../../api/rate-limits.ts";
import { createLocalRateLimiter } from "../../db/rate-limiters.ts";
import { createQueryLimits } from "./router-queries.ts";

test("an AS has at most four queries in flight and 60 in a minute", async () => {
  const limits = createQueryLimits(createRateLimits(createLocalRateLimiter).queryPerAs);
  const held = Promise.withResolvers<void>();
  const inFlight = Array.from({ length: 4 }, () => limits.run("4242420001", () => held.promise));
  await expect(limits.run("4242420001", async () => {})).rejects.toMatchObject({
    status: 429,
    body: { message: "Too many queries at once. Wait a moment and try again." },
  });
  held.resolve();
  await Promise.all(inFlight);
  for (let count = 5; count < 60; count += 1) await limits.run("4242420001", async () => {});
  await expect(limits.run("4242420001", async () => {})).rejects.toMatchObject({
    status: 429,
    body: { message: "Too many queries. Nothing was changed; wait a minute and try again." },
  });
  await limits.run("4242420002", async () => {});
});
