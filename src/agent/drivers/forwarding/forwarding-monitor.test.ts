import { expect, test } from "vitest";
import { createManualClock } from "../../fixtures/manual-clock.ts";
import type { ForwardingState } from "./forwarding-check.ts";
import { monitorForwarding } from "./forwarding-monitor.ts";

const found: ForwardingState = {
  faults: [
    {
      finding: { code: "conntrack-full", facts: { used: 9, limit: 9 } },
      concerns: new Set(["4242420001"]),
    },
  ],
  chains: [],
};

function openScene() {
  const clock = createManualClock();
  const warnings: string[] = [];
  const scene = {
    clock,
    warnings,
    checks: 0,
    settled: Promise.resolve(),
    answer: async (): Promise<ForwardingState> => found,
  };
  const monitor = monitorForwarding({
    check: {
      run: () => {
        scene.checks += 1;
        return scene.answer();
      },
    },
    running: () => new Map(),
    settled: () => scene.settled,
    clock,
    log: { warn: (_: unknown, message?: string) => warnings.push(message ?? "") },
  });
  return Object.assign(scene, { monitor, codes: () => monitor.findings().map(({ code }) => code) });
}

test("checks once a minute, knows nothing before, and nothing after a check that failed", async () => {
  const scene = openScene();
  await scene.clock.advance(59_999);
  expect([scene.checks, scene.codes()]).toEqual([0, []]);
  await scene.clock.advance(1);
  expect([scene.checks, scene.codes()]).toEqual([1, ["conntrack-full"]]);
  expect(["4242420001", "4242420002"].map(scene.monitor.isNotForwarded)).toEqual([true, false]);
  scene.answer = () => Promise.reject(new Error("ip timed out"));
  await scene.clock.advance(60_000);
  expect([scene.checks, scene.codes(), scene.warnings]).toEqual([
    2,
    [],
    ["could not check whether packets are forwarded"],
  ]);
  expect(scene.monitor.isNotForwarded("4242420001")).toBe(false);
  scene.answer = async () => found;
  await scene.clock.advance(60_000);
  expect(scene.codes()).toEqual(["conntrack-full"]);
  await scene.monitor[Symbol.asyncDispose]();
});

test("checks soon after a change, once for many, never during one, and drops what it found meanwhile", async () => {
  const scene = openScene();
  scene.monitor.noteChange();
  await scene.clock.advance(2_000);
  scene.monitor.noteChange();
  await scene.clock.advance(2_999);
  expect(scene.checks).toBe(0);
  await scene.clock.advance(1);
  expect([scene.checks, scene.codes()]).toEqual([1, ["conntrack-full"]]);

  const change = Promise.withResolvers<void>();
  scene.settled = change.promise;
  await scene.clock.advance(60_000);
  expect(scene.checks).toBe(1);
  const check = Promise.withResolvers<ForwardingState>();
  scene.answer = () => check.promise;
  change.resolve();
  await scene.clock.advance(0);
  expect(scene.checks).toBe(2);
  // A change begins while the check runs.
  scene.settled = Promise.resolve();
  check.resolve({ faults: [], chains: [] });
  await scene.clock.advance(0);
  expect(scene.codes()).toEqual(["conntrack-full"]);
  scene.monitor.noteChange();
  await scene.clock.advance(5_000);
  expect([scene.checks, scene.codes()]).toEqual([3, []]);
  await scene.monitor[Symbol.asyncDispose]();
});
