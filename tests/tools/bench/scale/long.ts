/** The long form: 200 logged-in people who look, edit and have an event stream open. */
import { setTimeout as pause } from "node:timers/promises";
import { compareWithTarget, formatMs, print, quantile, worst } from "../figures.ts";
import { readProcessCpu, readRss } from "./cpu.ts";
import type { Installation } from "./installation.ts";
import { asnOf } from "./layout.ts";
import { startPages } from "./pages.ts";
import { createParticipants } from "./participants.ts";
import { visit } from "./visits.ts";

const people = 200;
const minuteMs = 60_000;
const maxStallMs = 50;
/** Memory is compared from then on. */
const settledAfter = 5;
/** What counts as no growth, of the resident memory. */
const maxGrowth = 1.05;

interface Minute {
  readonly requests: number;
  readonly p99: number;
  readonly worstMs: number;
  readonly stallMs: number;
  readonly cpuMs: number;
  /** In bytes. */
  readonly rss: number;
}

/** Prints a line every minute, and a summary. */
export async function measureLong(installation: Installation, minutes: number): Promise<void> {
  await using pages = startPages(installation);
  const indices = Array.from({ length: people }, (_, index) => index);
  await pages.run("open", indices.map(asnOf));
  const participants = createParticipants(installation);
  const times: number[] = [];
  const failures: string[] = [];
  const stopping = new AbortController();
  const options = {
    signal: stopping.signal,
    onResponse: (ms: number) => void times.push(ms),
    onFailure: (message: string) => void failures.push(message),
  };
  const visits = Promise.all(indices.map((index) => visit(participants, index, options)));
  const measured: Minute[] = [];
  print(`  ${people} people, ${installation.kind}, ${installation.peerings} peerings\n`);
  while (measured.length < minutes) {
    measured.push(await measureMinute(installation, times));
    print(formatMinute(measured));
  }
  stopping.abort();
  await visits;
  print(summarize(measured, failures));
}

/** @param times of the responses; emptied */
async function measureMinute({ pid, probe }: Installation, times: number[]): Promise<Minute> {
  times.length = 0;
  const before = readProcessCpu(pid);
  const stallMs = await probe.measureStall(() => pause(minuteMs));
  return {
    requests: times.length,
    p99: quantile(times, 0.99),
    worstMs: worst(times),
    stallMs,
    cpuMs: readProcessCpu(pid) - before,
    rss: readRss(pid),
  };
}

function formatMinute(minutes: readonly Minute[]): string {
  const last = minutes.at(-1);
  if (!last) return "";
  const { requests, p99, worstMs, stallMs, cpuMs, rss } = last;
  const times = `p99 ${formatMs(p99)} ms, worst ${formatMs(worstMs)} ms, stall ${formatMs(stallMs)} ms`;
  return `    minute ${minutes.length}: ${requests} requests, ${times}, CPU ${formatMs(cpuMs / 1000)} s, ${formatMs(rss / 1e6)} MB\n`;
}

function summarize(minutes: readonly Minute[], failures: readonly string[]): string {
  const settled = minutes.slice(Math.min(settledAfter, Math.floor(minutes.length / 3)));
  const memory = settled.map(({ rss }) => rss);
  const middle = Math.floor(memory.length / 2);
  const growth = worst(memory.slice(middle)) / worst(memory.slice(0, middle));
  const [failure = ""] = failures;
  return [
    `  worst p99 of a minute: ${formatMs(worst(minutes.map(({ p99 }) => p99)))} ms\n`,
    `  failed requests: ${failures.length} ${failure}\n`,
    compareWithTarget("the longest stall", worst(minutes.map(({ stallMs }) => stallMs)), maxStallMs, " ms"),
    compareWithTarget(`memory after minute ${settledAfter}, second half : first half`, growth, maxGrowth, ""),
    "\n",
  ].join("");
}
