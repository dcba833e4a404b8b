import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import type { Run } from "../../processes.ts";
import { monitorLatency } from "./latency.ts";

test("a tunnel is probed through its own interface, whatever its name", async () => {
  const clock = createManualClock();
  const targets: string[] = [];
  const run: Run = async (_program, args) => {
    targets.push(args.slice(-3).join(" "));
    return { code: 1, stdout: "", stderr: "", isTruncated: false };
  };
  await using latency = monitorLatency({
    run,
    targets: async () => [
      { interfaceName: "wg-per01", address: "172.20.16.2" },
      { interfaceName: "wg-sin01", address: "fe80::1" },
    ],
    waitForIdle: async () => undefined,
    clock,
    log: silentLog,
  });
  await clock.advance(100);
  expect(targets).toEqual(["-W 1 fe80::1%wg-sin01", "-I wg-per01 172.20.16.2"]);
  expect(latency.of("wg-per01")).toBeNull();
});

test("probes start one after the other, and none while the router is being changed", async () => {
  const clock = createManualClock();
  const started: string[] = [];
  const run: Run = async (_program, args) => {
    started.push(args.at(-1) ?? "");
    return {
      code: 0,
      stdout: "rtt min/avg/max/mdev = 1.500/2.500/3.500/0.1 ms",
      stderr: "",
      isTruncated: false,
    };
  };
  let changing = Promise.resolve();
  await using latency = monitorLatency({
    run,
    targets: async () =>
      [1, 2, 3].map((n) => ({ interfaceName: `dn42_424242000${n}`, address: `fe80::${n}` })),
    waitForIdle: () => changing,
    clock,
    log: silentLog,
  });
  await clock.advance(20);
  expect(started).toEqual(["fe80::3%dn42_4242420003"]);
  await clock.advance(20);
  expect(started).toEqual(["fe80::3%dn42_4242420003", "fe80::2%dn42_4242420002"]);

  const change = Promise.withResolvers<void>();
  changing = change.promise;
  await clock.advance(1000);
  expect(started).toHaveLength(2);
  change.resolve();
  await clock.advance(0);
  expect(started).toHaveLength(3);
  expect(latency.of("dn42_4242420001")).toBe(2.5);
});
