/** CPU time of other processes in milliseconds, from `/proc`: exact to the microsecond for a thread that waits. */
import { readdirSync, readFileSync } from "node:fs";

/** All threads of a process, without those that have ended. */
export function readProcessCpu(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return sum(threads.map((thread) => readScheduled(`/proc/${pid}/task/${thread}/schedstat`)));
}

/** A process and its children, as PostgreSQL's are. */
export function readFamilyCpu(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return sum([String(pid), ...children].map((each) => readScheduled(`/proc/${each}/schedstat`)));
}

/** The resident memory of a process in bytes. */
export function readRss(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

export function readParent(pid: number): number {
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(parent);
}

function readScheduled(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
