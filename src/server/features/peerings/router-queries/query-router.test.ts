import { expect, test } from "vitest";
import { createRateLimits } from "#server/api/rate-limits.ts";
import { createLocalRateLimiter } from "#server/db/rate-limiters.ts";
import { createQueryLimits } from "./query-router.ts";

const on = (node: string, asn = "4242420001") => ({ asn, node, host: `${node}.example.dn42` });
const open = (waitMs?: number) =>
  createQueryLimits(createRateLimits(createLocalRateLimiter).queryPerAs, waitMs);

test("an AS has at most four queries in flight and 60 in a minute", async () => {
  const limits = open();
  const held = Promise.withResolvers<void>();
  const nodes = ["syd01", "syd01", "syd01", "de01"];
  const inFlight = nodes.map((node) => limits.run(on(node), () => held.promise));
  const atOnce =
    "Too many queries at once. Nothing was changed; wait for one of yours to finish and try again.";
  await expect(limits.run(on("de01"), async () => {})).rejects.toMatchObject({
    status: 429,
    body: { message: atOnce },
  });
  held.resolve();
  await Promise.all(inFlight);
  for (let count = 5; count < 60; count += 1) await limits.run(on("syd01"), async () => {});
  await expect(limits.run(on("syd01"), async () => {})).rejects.toMatchObject({
    status: 429,
    body: { message: "Too many queries. Nothing was changed; wait a minute and try again." },
  });
  await limits.run(on("syd01", "4242420002"), async () => {});
});

test("a query that gets no place in time is rejected: because of its own AS, or because of others", async () => {
  const limits = open(1);
  const held = Promise.withResolvers<void>();
  const run = (asn: string) => limits.run(on("syd01", asn), () => held.promise);
  const inFlight = ["1", "1", "1", "2", "2", "2", "3", "3"].map(run);
  await expect(run("1")).rejects.toMatchObject({ status: 429 });
  const busy = "syd01.example.dn42 is busy with queries of other participants.";
  const message = `${busy} Nothing was changed; try again in a minute.`;
  await expect(run("4")).rejects.toMatchObject({ status: 503, body: { message } });
  await limits.run(on("de01", "4"), async () => {});
  held.resolve();
  await Promise.all(inFlight);
  await run("4");
});
