import { cpus, freemem, totalmem } from "node:os";
import type { NodeUsage } from "#contract/agent.ts";
import { type BirdControl, type BirdReply, isBirdError } from "../bird/control-socket.ts";

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
      routes: parseRouteCounts(await bird("show route count")),
    };
  };
}

/**
 * Parses the number of networks per table from lines such as `812 of 812 routes for 640 networks in table
 * master4`. It is unknown (null) if BIRD has no such table or replied with an error.
 */
export function parseRouteCounts(reply: BirdReply): NodeUsage["routes"] {
  const texts = isBirdError(reply) ? [] : reply.lines.map(({ text }) => text);
  const networksIn = (table: string) => {
    const pattern = new RegExp(`for ([0-9]+) networks in table ${table}$`);
    const match = texts.map((text) => pattern.exec(text)).find((found) => found !== null);
    return match ? Number(match[1]) : null;
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

/** Null if no time has passed, and if a counter went back: those of a kernel sometimes do. */
function percentBetween(previous: CpuTime, now: CpuTime): number | null {
  const [all, busy] = [now.all - previous.all, now.busy - previous.busy];
  return all <= 0 || busy < 0 || busy > all ? null : roundToTenths((100 * busy) / all);
}

function roundToTenths(percent: number): number {
  return Math.round(percent * 10) / 10;
}
