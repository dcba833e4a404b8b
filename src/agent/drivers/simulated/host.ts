import type { NodeUsage } from "#contract/agent.ts";
import type { RouterHealth } from "../router.ts";
import { between, seeded } from "./seed.ts";

/** Returns uptime, load and findings of a simulated machine that was started days before the simulation. */
export function healthAt(node: string, openedAt: number, now: number, busy: boolean): RouterHealth {
  const before = between(3 * 86_400, 120 * 86_400, "uptime", node);
  return {
    uptimeSeconds: Math.floor(before + (now - openedAt) / 1000),
    load: [loadOver(node, now, 1, busy), loadOver(node, now, 5, busy), loadOver(node, now, 15, busy)],
    findings: busy ? [{ code: "heavy-load", facts: {} }] : [],
  };
}

/** The mean of a noise that changes every minute, over `minutes` minutes. */
function loadOver(node: string, now: number, minutes: number, busy: boolean): number {
  const minute = Math.floor(now / 60_000);
  const samples = Array.from({ length: minutes }, (_, back) => seeded("load", node, minute - back) ** 2);
  const mean = samples.reduce((sum, value) => sum + value, 0) / minutes;
  return Math.round(100 * (0.03 + 0.6 * mean + (busy ? 4 : 0))) / 100;
}

const minuteMs = 60_000;

/** Returns the CPU and memory use of a simulated machine: a level of its own, and a noise that changes every minute. */
export function usageAt(node: string, now: number, busy: boolean): Omit<NodeUsage, "routes"> {
  const minute = Math.floor(now / minuteMs);
  const calm = between(2, 9, "cpu", node) + 6 * seeded("cpu", node, minute) ** 2;
  return {
    cpuPercent: roundToTenths(busy ? Math.min(100, calm + 80) : calm),
    memoryPercent: roundToTenths(between(22, 48, "memory", node) + seeded("memory", node, minute)),
  };
}

function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}
