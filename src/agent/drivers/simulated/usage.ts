import type { NodeUsage } from "../../../contract/agent.ts";
import { between, seeded } from "./seed.ts";

const minuteMs = 60_000;

/** How busy a simulated machine is: a level of its own, and a noise that changes every minute. */
export function usageAt(node: string, now: number, busy: boolean): NodeUsage {
  const minute = Math.floor(now / minuteMs);
  const calm = between(2, 9, "cpu", node) + 6 * seeded("cpu", node, minute) ** 2;
  const routes = between(1150, 1210, "routes", Math.floor(minute / 10));
  return {
    cpuPercent: tenths(busy ? Math.min(100, calm + 80) : calm),
    memoryPercent: tenths(between(22, 48, "memory", node) + seeded("memory", node, minute)),
    routes: {
      ipv4: Math.round(routes + 3 * seeded("routes", node, minute)),
      ipv6: Math.round(routes * 0.86 + 3 * seeded("routes6", node, minute)),
    },
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
