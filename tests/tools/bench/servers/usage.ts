/** CPU time of groups of processes, from `/proc/PID/stat`. */
import { readdirSync, readFileSync } from "node:fs";

interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** In milliseconds: its own, and that of its children that have ended. */
  readonly cpuMs: number;
  readonly endedChildrenMs: number;
}

/** Linux counts in hundredths of a second on every architecture. */
const tickMs = 10;

function readStat(pid: string): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name is in parentheses, and may contain any of them.
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const field = (number: number) => Number(fields[number - 3]);
    return {
      pid: Number(pid),
      name,
      parent: field(4),
      cpuMs: tickMs * (field(14) + field(15)),
      endedChildrenMs: tickMs * (field(16) + field(17)),
    };
  } catch {
    // It has ended.
    return null;
  }
}

/** The process with a name that this process, or one of its children, has started last. */
export function findStarted(name: string): number {
  const all = listProcesses();
  const own = all.filter((each) => each.name === name && each.parent === process.pid);
  const newest = own.at(-1);
  if (!newest) throw new Error(`${name} does not run`);
  return newest.pid;
}

function listProcesses(): readonly ProcessStat[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => readStat(pid) ?? []);
}

/** Who uses the CPU: the first process of each program. Its children count, too. */
export type Programs = Readonly<Record<string, readonly number[]>>;
export type Usage = Readonly<Record<string, number>>;

/** The CPU time so far of each program in milliseconds. */
export function readUsage(programs: Programs): Usage {
  const all = listProcesses();
  const sumOf = (pid: number) =>
    all
      .filter((each) => each.pid === pid || each.parent === pid)
      .reduce((sum, each) => sum + each.cpuMs + each.endedChildrenMs, 0);
  const sums = Object.entries(programs).map(([name, pids]) => [
    name,
    pids.reduce((sum, pid) => sum + sumOf(pid), 0),
  ]);
  return Object.fromEntries(sums) as Usage;
}

export function subtractUsage(after: Usage, before: Usage): Usage {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
