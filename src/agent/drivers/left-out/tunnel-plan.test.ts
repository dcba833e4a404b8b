import { expect, test } from "vitest";
import { ProcessError, ProcessTimeoutError } from "#system/processes.ts";
import { dualStackOf, routed } from "../../fixtures/peerings.ts";
import type { RoutedPeering } from "../router.ts";
import { createRetrySchedule } from "./retry-schedule.ts";
import { planTunnels, type PlanOptions } from "./tunnel-plan.ts";

const asnOf = (n: number) => `424242000${n}`;
const desired = new Map(
  [1, 2, 3, 4, 5].map((n) => [asnOf(n), routed(dualStackOf(n, { localIpv6: null, peerIpv6: null }))]),
);
let now = 0;
const open = (options: Partial<PlanOptions> = {}) =>
  planTunnels({
    desired,
    requested: new Set(),
    leftOut: new Map(),
    retries: createRetrySchedule(() => now),
    hasKey: () => true,
    ...options,
  });
const fail = async () => Promise.reject(new ProcessError("ip -batch - exited with 1: Invalid argument"));

test("a tunnel that cannot be set up is left out, and tried after 20 s, then after twice the time, at most 10 minutes", async () => {
  const retries = createRetrySchedule(() => now);
  const asn = asnOf(1);
  let leftOut: PlanOptions["leftOut"] = new Map();
  const delays: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    const plan = await open({ retries, leftOut });
    expect(await plan.attempt("link", asn, fail)).toBeNull();
    expect(plan.toRun().map(({ peering }) => peering.asn)).toEqual([2, 3, 4, 5].map(asnOf));
    leftOut = plan.leftOut();
    const since = now;
    while (!retries.isDue(asn)) now += 1000;
    delays.push((now - since) / 1000);
  }
  expect(delays).toEqual([20, 40, 80, 160, 320, 600, 600, 600]);
  // A change of another AS does not try it before.
  retries.noteFailure(asn);
  const next = await open({ retries, leftOut });
  expect(next.leftOut()).toEqual(leftOut);
  expect(await (await open({ retries })).attempt("peer", asn, async () => "set up")).toBe("set up");
  expect(retries.failures(asn)).toBe(0);
});

test("after three failures in a row the others are not tried, and come first the next time", async () => {
  const retries = createRetrySchedule(() => now);
  const plan = await open({ retries });
  const tried: string[] = [];
  for (const { peering } of plan.inOrderOfTries(plan.toRun()))
    await plan.attempt("link", peering.asn, () => {
      tried.push(peering.asn);
      return fail();
    });
  expect(tried).toEqual([1, 2, 3].map(asnOf));
  expect([...plan.leftOut().keys()]).toEqual([1, 2, 3, 4, 5].map(asnOf));
  now += 20_000;
  const next = await open({ retries });
  const order = (requested: readonly string[]) =>
    open({ retries, requested: new Set(requested) }).then((one) =>
      one.inOrderOfTries(one.toRun()).map(({ peering }) => Number(peering.asn.at(-1))),
    );
  expect(next.leftOut().size).toBe(0);
  expect(await order([])).toEqual([4, 5, 1, 2, 3]);
  expect(await order([asnOf(2)])).toEqual([2, 4, 5, 1, 3]);
});

test("after three peers whose command timed out, others between them or not, the rest is tried later", async () => {
  const plan = await open();
  const tried: string[] = [];
  const slow = new Set([1, 2, 4].map(asnOf));
  for (const asn of desired.keys())
    await plan.attempt("peer", asn, async () => {
      tried.push(asn);
      if (slow.has(asn)) throw new ProcessTimeoutError("wg timed out after 10 s and was killed");
    });
  expect(tried).toEqual([1, 2, 3, 4].map(asnOf));
  expect([...plan.leftOut().keys()]).toEqual([1, 2, 4, 5].map(asnOf));
});

test("a tunnel whose key the node does not have is left out, and refused if it was requested", async () => {
  const asn = asnOf(1);
  const nodeKey = Buffer.alloc(32, 9).toString("base64");
  const moved = new Map(desired).set(asn, routed(dualStackOf(1, { nodeKey })));
  const options = { desired: moved, hasKey: ({ peering }: RoutedPeering) => peering.nodeKey === undefined };
  expect([...(await open(options)).leftOut().keys()]).toContain(asn);
  await expect(open({ ...options, requested: new Set([asn]) })).rejects.toMatchObject({
    finding: { code: "node-key-missing", facts: { publicKey: nodeKey } },
  });
});

test("a requested tunnel is refused, and what concerns all tunnels is no tunnel's own failure", async () => {
  const plan = await open({ requested: new Set([asnOf(1)]) });
  await expect(plan.attempt("link", asnOf(1), fail)).rejects.toMatchObject({
    finding: { code: "tunnel-not-set-up" },
  });
  expect(() => plan.leaveOut(asnOf(1), { kind: "port" })).toThrow("UDP port 20001");
  const missing = new ProcessError("wg cannot be started: spawn wg ENOENT", {
    cause: Object.assign(new Error("spawn wg ENOENT"), { code: "ENOENT", syscall: "spawn wg" }),
  });
  const forbidden = new ProcessError("ip link set exited with 2: RTNETLINK answers: Operation not permitted");
  for (const error of [missing, forbidden, new TypeError("a fault of this program")]) {
    await expect(plan.attempt("link", asnOf(2), () => Promise.reject(error))).rejects.toBe(error);
  }
  expect(plan.leftOut().size).toBe(0);
});
