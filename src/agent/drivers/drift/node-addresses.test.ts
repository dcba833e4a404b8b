import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { processResult } from "../../fixtures/process-result.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import type { Run } from "#system/processes.ts";
import { createNodeAddresses } from "./node-addresses.ts";

const [ipv4, ipv6] = ["172.20.16.1/32", "fd42:d42::1/128"] as const;

test("missing addresses are added, and one that the kernel refuses is reported and tried again a minute later", async () => {
  const clock = createManualClock();
  const commands: string[] = [];
  let isRefused = true;
  const run: Run = async (program, args) => {
    commands.push([program, ...args].join(" "));
    const isIpv6 = args.some((one) => one === ipv6);
    return isIpv6 && isRefused
      ? processResult("", 2, "RTNETLINK answers: Permission denied")
      : processResult("");
  };
  const addresses = createNodeAddresses({ addresses: [ipv4, ipv6], run, clock, log: silentLog });
  const find = (...present: readonly string[]) =>
    addresses.findMissing(new Map([["lo", { addresses: ["127.0.0.1/8", ...present] }]]));

  expect(find()).toEqual([ipv4, ipv6]);
  addresses.restoreNext(find());
  expect(addresses.isCurrent()).toBe(false);
  await addresses.restore();
  expect(commands.splice(0)).toEqual([ipv4, ipv6].map((one) => `ip address replace ${one} dev lo`));
  expect([addresses.isCurrent(), addresses.isRefused(ipv6), addresses.isRefused(ipv4)]).toEqual([
    true,
    true,
    false,
  ]);
  const output = `ip address replace ${ipv6} dev lo exited with 2: RTNETLINK answers: Permission denied`;
  expect(addresses.findings()).toEqual([
    { code: "node-address-not-set", facts: { address: "fd42:d42::1", output } },
  ]);

  await clock.advance(59_999);
  expect(find(ipv4)).toEqual([]);
  await clock.advance(1);
  expect(find(ipv4)).toEqual([ipv6]);
  isRefused = false;
  addresses.restoreNext([ipv6]);
  await addresses.restore();
  expect([addresses.findings(), find(ipv4, ipv6)]).toEqual([[], []]);
});
