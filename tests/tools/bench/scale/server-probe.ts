/**
 * Loaded into the server's program with `--import`: measures, while it is asked to, the CPU time of each request and the
 * longest turn of the event loop, and sets the server's clock. It serves a socket of its own, whose path is in SCALE_PROBE.
 *
 * Times of a request are from the arrival of its headers to the end of the response, in all threads of the server. They mean
 * something only while one request at a time is in progress.
 */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { isMainThread } from "node:worker_threads";
import { readFamilyCpu } from "./cpu.ts";
import { endWithParent } from "./end-with-parent.ts";

export interface MeasuredRequest {
  readonly path: string;
  readonly cpuMs: number;
  /** That of PostgreSQL's processes; 0 with SQLite. */
  readonly databaseCpuMs: number;
}

export interface Measured {
  /** The longest turn of the event loop. */
  readonly stallMs: number;
  readonly requests: readonly MeasuredRequest[];
}

/** What to measure from now on; `stop` ends it and is answered with `Measured`. */
export type ProbeCommand = "requests" | "stall" | "stop";

const resolutionMs = 5;

/** A server whose clock is this far ahead sees the end of a half hour when the benchmark wants it. */
function shiftClock(shiftMs: number): void {
  const SystemDate = Date;
  globalThis.Date = class extends SystemDate {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [SystemDate.now() + shiftMs] : values) as [number]));
    }
    static override now = () => SystemDate.now() + shiftMs;
  } as DateConstructor;
}

/** All threads of this process. */
function readOwn(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function startProbe(socketPath: string, databasePid: number): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let requests: MeasuredRequest[] | null = null;
  const started = new WeakMap<IncomingMessage, readonly [own: number, database: number]>();
  const readDatabase = () => (databasePid > 0 ? readFamilyCpu(databasePid) : 0);

  subscribe("http.server.request.start", (message) => {
    if (!requests) return;
    const database = readDatabase();
    started.set((message as { readonly request: IncomingMessage }).request, [readOwn(), database]);
  });
  subscribe("http.server.response.finish", (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    const before = started.get(request);
    if (!requests || !before) return;
    const cpuMs = readOwn() - before[0];
    requests.push({ path: request.url ?? "", cpuMs, databaseCpuMs: readDatabase() - before[1] });
  });

  function answer(command: ProbeCommand): Measured | null {
    if (command === "stop") {
      delay.disable();
      const measured = {
        stallMs: Math.max(0, delay.max / 1e6 - resolutionMs),
        requests: requests ?? [],
      };
      requests = null;
      return measured;
    }
    if (command === "requests") requests = [];
    delay.reset();
    delay.enable();
    return null;
  }

  createServer((socket) => {
    socket.unref();
    socket.on("error", () => undefined);
    createInterface({ input: socket }).on("line", (line) => {
      socket.write(`${JSON.stringify(answer(line as ProbeCommand))}\n`);
    });
  })
    .listen(socketPath)
    .unref();
}

const { SCALE_PROBE: probe, SCALE_CLOCK_SHIFT: shift, SCALE_DATABASE_PID: databasePid } = process.env;
if (shift !== undefined) shiftClock(Number(shift));
if (isMainThread && probe !== undefined) {
  endWithParent();
  startProbe(probe, Number(databasePid ?? 0));
}
