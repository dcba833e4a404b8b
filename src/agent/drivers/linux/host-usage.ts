import { cpus, freemem, totalmem } from "node:os";
import type { NodeUsage } from "../../../contract/agent.ts";
import type { BirdControl, BirdReply } from "../bird/control-socket.ts";

interface CpuTime {
  readonly busy: number;
  readonly all: number;
}

/** Measures the machine; the load of its cores is that since the call before. */
export function createUsage(bird: BirdControl): () => Promise<NodeUsage> {
  let before: CpuTime | null = null;
  return async () => {
    const now = cpuTime();
    const cpuPercent = before && percentBetween(before, now);
    before = now;
    return {
      cpuPercent,
      memoryPercent: rounded((100 * (totalmem() - freemem())) / totalmem()),
      routes: countRoutes(await bird("show route count")),
    };
  };
}

/** Networks by table, from lines such as `812 of 812 routes for 640 networks in table master4`. */
export function countRoutes({ lines }: BirdReply): NodeUsage["routes"] {
  const networksIn = (table: string) => {
    const counted = lines.map(({ text }) =>
      new RegExp(`for ([0-9]+) networks in table ${table}$`).exec(text),
    );
    return Number(counted.find((match) => match !== null)?.[1] ?? 0);
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

/** Null where no time has passed. */
function percentBetween(before: CpuTime, now: CpuTime): number | null {
  const all = now.all - before.all;
  return all <= 0 ? null : rounded((100 * (now.busy - before.busy)) / all);
}

function rounded(percent: number): number {
  return Math.round(percent * 10) / 10;
}
