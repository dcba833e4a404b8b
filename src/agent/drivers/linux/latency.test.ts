import { onTestFinished, expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import { processResult } from "../../fixtures/process-result.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import type { ProcessResult, Run } from "#system/processes.ts";
import { monitorLatency } from "./latency.ts";

type Options = Parameters<typeof monitorLatency>[0];

const pong = (ms: number) => processResult(`rtt min/avg/max/mdev = 0.1/${ms}/9.9/0.1 ms`);
const targetsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ interfaceName: `dn42_${n}`, address: "fe80::1" }));

/** Starts a monitor of three tunnels whose probes get a reply at once. It ends with the test. */
function start(options: Partial<Options> = {}) {
  const clock = createManualClock();
  const latency = monitorLatency({
    run: async () => pong(2.5),
    targets: async () => targetsOf(3),
    waitForIdle: async () => undefined,
    clock,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => latency[Symbol.asyncDispose]());
  return { clock, latency };
}

/** Records the last arguments of each probe. */
function recordProbes(result: ProcessResult, count: number) {
  const probed: string[] = [];
  const run: Run = async (_program, args) => {
    probed.push(args.slice(-count).join(" "));
    return result;
  };
  return { probed, run };
}

test("a tunnel is probed through its own interface, whatever its name", async () => {
  const { probed, run } = recordProbes(processResult("", 1), 3);
  const { clock, latency } = start({
    run,
    targets: async () => [
      { interfaceName: "wg-per01", address: "172.20.16.2" },
      { interfaceName: "wg-sin01", address: "fe80::1" },
    ],
  });
  await clock.advance(100);
  expect(probed).toEqual(["-W 1 fe80::1%wg-sin01", "-I wg-per01 172.20.16.2"]);
  expect(latency.of("wg-per01")).toBeNull();
});

test("probes start one after the other, and none while the router is being changed", async () => {
  const { probed: started, run } = recordProbes(pong(2.5), 1);
  let changing = Promise.resolve();
  const { clock, latency } = start({ run, waitForIdle: () => changing });
  await clock.advance(20);
  expect(started).toEqual(["fe80::1%dn42_2"]);
  await clock.advance(20);
  expect(started).toEqual(["fe80::1%dn42_2", "fe80::1%dn42_1"]);

  const change = Promise.withResolvers<void>();
  changing = change.promise;
  await clock.advance(1000);
  expect(started).toHaveLength(2);
  change.resolve();
  await clock.advance(0);
  expect(started).toHaveLength(3);
  expect(latency.of("dn42_0")).toBe(2.5);
});

test("tunnels are probed every 15 seconds, and every 2 while their number changes or none is up", async () => {
  let count = 0;
  const { probed, run } = recordProbes(pong(1), 1);
  const rounds: number[] = [];
  const clock = createManualClock();
  const startedAt = clock.now();
  start({
    clock,
    run,
    targets: async () => {
      rounds.push((clock.now() - startedAt) / 1000);
      return targetsOf(count);
    },
  });
  await clock.advance(4_000);
  expect(rounds).toEqual([0, 2, 4]);
  count = 2;
  await clock.advance(2_000 + 40 + 2_000 + 40 + 15_000);
  // A round of two probes takes 40 ms. The first one with two tunnels is followed soon, the next one is not.
  expect(rounds).toEqual([0, 2, 4, 6, 8.04, 23.08]);
  expect(probed).toHaveLength(4);
  count = 1;
  await clock.advance(40 + 15_000);
  await clock.advance(20 + 2_000);
  expect(rounds.slice(6)).toEqual([38.12, 40.14]);
});

test("a tunnel that is gone has no round trip, and neither has one whose probe gets no reply", async () => {
  let targets = targetsOf(2);
  let result = pong(3);
  const { clock, latency } = start({ run: async () => result, targets: async () => targets });
  await clock.advance(40);
  expect([latency.of("dn42_0"), latency.of("dn42_1"), latency.of("dn42_2")]).toEqual([3, 3, null]);
  targets = targetsOf(1);
  result = processResult("", 1);
  // The former round trips remain until a round is complete.
  await clock.advance(2_000);
  expect(latency.of("dn42_1")).toBe(3);
  await clock.advance(20);
  expect([latency.of("dn42_0"), latency.of("dn42_1")]).toEqual([null, null]);
});

test("at most eight probes run at the same time", async () => {
  const replies: Array<() => void> = [];
  const { clock, latency } = start({
    run: () => new Promise((resolve) => void replies.push(() => resolve(pong(1)))),
    targets: async () => targetsOf(10),
  });
  await clock.advance(1_000);
  expect(replies).toHaveLength(8);
  replies[0]?.();
  await clock.advance(1_000);
  expect(replies).toHaveLength(9);
  for (const resolve of replies) resolve();
  await clock.advance(1_000);
  replies[9]?.();
  await clock.advance(0);
  expect(latency.of("dn42_0")).toBe(1);
});

test("a failed round is logged, and the next one follows", async () => {
  const warnings: unknown[] = [];
  let failure: Error | null = new Error("no tunnels can be read");
  const { clock, latency } = start({
    targets: async () => {
      if (failure) throw failure;
      return targetsOf(1);
    },
    log: { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args) } as typeof silentLog,
  });
  await clock.advance(0);
  expect(warnings).toEqual([[{ err: failure }, "could not measure the latencies"]]);
  failure = null;
  await clock.advance(2_020);
  expect(latency.of("dn42_0")).toBe(2.5);
});

test("after disposal no probe starts, and the running one is ended", async () => {
  const signals: AbortSignal[] = [];
  const change = Promise.withResolvers<void>();
  const { clock, latency } = start({
    run: async (_program, _args, { signal } = {}) => {
      if (signal) signals.push(signal);
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      return processResult("", 1);
    },
    waitForIdle: () => (signals.length === 0 ? Promise.resolve() : change.promise),
  });
  await clock.advance(100);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  const disposed = latency[Symbol.asyncDispose]();
  change.resolve();
  await disposed;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(clock.sleepers()).toBe(0);
});
