import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { parseRouteCounts, createUsageMeter } from "./node-usage.ts";

/** Output of BIRD 2.0.12 with the tables of docs/bird/bird.conf. */
const reply = replyOf(
  "1014-812 of 830 routes for 640 networks in table master4",
  " 17 of 17 routes for 12 networks in table master6",
  " 2000 of 2000 routes for 1900 networks in table dn42_roa4",
  " 0 of 0 routes for 0 networks in table dn42_roa6",
  "0014 Total: 2829 of 2847 routes for 2552 networks in 4 tables",
);

test("counts routes only in the default tables", () => {
  expect(parseRouteCounts(reply)).toEqual({ ipv4: 640, ipv6: 12 });
});

test.each([
  "1014-812 of 830 routes for 640 networks in table dn42v4\n0014 Total: 812 of 830 routes",
  "1014-8 of 8 routes for 8 networks in table master40\n0014 Total: 8 of 8 routes",
  "1014-8 of 8 routes for 8 networks in table xmaster6\n0014 Total: 8 of 8 routes",
  "9001 syntax error, unexpected CF_SYM_UNDEFINED",
])("the number of routes is unknown, not 0, with other tables or an error: %s", (text) => {
  expect(parseRouteCounts(replyOf(text))).toEqual({ ipv4: null, ipv6: null });
});

test("measures the CPU load between two calls", async () => {
  const usage = createUsageMeter(async () => reply);
  expect((await usage()).cpuPercent).toBeNull();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const { cpuPercent, memoryPercent } = await usage();
  expect(cpuPercent).toBeGreaterThan(0);
  expect(cpuPercent).toBeLessThanOrEqual(100);
  expect(memoryPercent).toBeGreaterThan(0);
  expect(memoryPercent).toBeLessThan(100);
});
