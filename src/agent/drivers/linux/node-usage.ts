import { cpus, freemem, totalmem } from "node:os";
import type { NodeUsage } from "../../../contract/agent.ts";
import type { BirdControl, BirdReply } from "../bird/control-socket.ts";

interface CpuTime {
  readonly busy: number;
  readonly all: number;
}

/** Creates a function that measures the machine; the CPU load covers the time since the previous call. */
export function createUsageMeter(bird: BirdControl): () => Promise<NodeUsage> {
  let previous: CpuTime | null = null;
  return async () => {
    const now = cpuTime();
    const cpuPercent = previous && percentBetween(previous, now);
    previous = now;
    return {
      cpuPercent,
      memoryPercent: roundToTenths((100 * (totalmem() - freemem())) / totalmem()),
      routes: countRoutes(await bird("show route count")),
    };
  };
}

/**
 * Parses the number of networks per table from lines such as `812 of 812 routes for 640 networks in table
 * master4`.
 */
export function countRoutes({ lines }: BirdReply): NodeUsage["routes"] {
  const networksIn = (table: string) => {
    const matches = lines.map(({ text }) =>
      new RegExp(`for ([0-9]+) networks in table ${table}$`).exec(text),
    );
    return Number(matches.find((match) => match !== null)?.[1] ?? 0);
  };
  return { ipv4: networksIn("master4"), ipv6: networksIn("master6") };
}

function cpuTime(): CpuTime {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce(
    (sum, { user, nice, sys, idle: spare, irq }) => sum + user + nice + sys + spare + irq,
    0,
  );
  return { busy: all - idle, all };
}

/** Null if no time has passed. */
function percentBetween(previous: CpuTime, now: CpuTime): number | null {
  const all = now.all - previous.all;
  return all <= 0 ? null : roundToTenths((100 * (now.busy - previous.busy)) / all);
}

function roundToTenths(percent: number): number {
  return Math.round(percent * 10) / 10;
}
