/**
 * The driver of a node whose tunnels are stubs, for `drift.ts` and `probes.ts`. Runs in the node's namespaces, reads calls from its input, one
 * `{ id, call, args }` per line, and writes a line for each response, `{ id, value }` or `{ id, error }`.
 */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { systemClock } from "#agent/clock.ts";
import { createBirdControl } from "#agent/drivers/bird/control-socket.ts";
import { createUnloadedChanges } from "#agent/drivers/bird/unloaded-changes.ts";
import { createLinuxRouter, type LinuxRouterOptions } from "#agent/drivers/linux/linux-router.ts";
import type { RoutedPeering } from "#agent/drivers/router.ts";
import { processResult } from "#agent/fixtures/process-result.ts";
import { createSetRecord } from "#agent/fixtures/set-record.ts";
import { silentLog } from "#agent/fixtures/silent-log.ts";
import { type Run, runProcess } from "#system/processes.ts";

export interface CheckCost {
  /** Milliseconds of CPU time for each check. */
  readonly agentMs: number;
  readonly commandsMs: number;
  /** Commands for each check. */
  readonly commands: number;
  /** What a check found that differs; none of it should. */
  readonly drift: readonly string[];
}

/** What a node without changes and requests costs. */
export interface RestCost {
  /** Milliseconds of CPU time. */
  readonly agentMs: number;
  readonly commandsMs: number;
  readonly commands: Readonly<Record<string, number>>;
}

export interface DriftNodeOptions extends LinuxRouterOptions {
  /** Whether the driver sends probes. */
  readonly isProbing: boolean;
}

export interface DriftCalls {
  readonly rest: (seconds: number) => Promise<RestCost>;
  readonly set: (desired: readonly RoutedPeering[]) => Promise<void>;
  readonly check: (count: number) => Promise<CheckCost>;
}

const options = JSON.parse(process.argv[2] ?? "") as DriftNodeOptions;
let commands: string[] = [];
const run: Run = (program, args, ...rest) => {
  // The driver asks for the routes of its probes meanwhile, which is not a part of the check. Without them it sends none.
  if (!options.isProbing && args.includes("-force")) return Promise.resolve(processResult(""));
  commands.push(program);
  return runProcess(program, args, ...rest);
};
const router = await createLinuxRouter({
  ...options,
  unloadedChanges: createUnloadedChanges({
    bird: createBirdControl(options.birdSocket),
    ownFolders: [options.birdDir],
    mayLoad: false,
    log: silentLog,
  }),
  run,
  clock: systemClock,
  log: silentLog,
});

/** The kernel's unit of times in `/proc`, the same on all architectures. */
const msPerTick = 10;

/** CPU time of the processes that this one has started and that have ended, in milliseconds. */
async function readChildrenMs(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8");
  // The fields after the program's name, which may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

const pauseMs = 100;

const calls: DriftCalls = {
  set: (desired) => router.set(desired, createSetRecord()),
  rest: async (seconds) => {
    const [own, children] = [process.cpuUsage(), await readChildrenMs()];
    commands = [];
    await systemClock.sleep(seconds * 1000);
    const { user, system } = process.cpuUsage(own);
    return {
      agentMs: (user + system) / 1000,
      commandsMs: (await readChildrenMs()) - children,
      commands: Object.fromEntries(
        Array.from(
          Map.groupBy(commands, (name) => name),
          ([name, started]) => [name, started.length],
        ),
      ),
    };
  },
  check: async (count) => {
    // While the driver looks after the handshakes of new tunnels, a check does nothing.
    for (commands = []; !commands.includes("nft"); await systemClock.sleep(pauseMs)) await router.findDrift();
    const drift = new Set<string>();
    const [own, children] = [process.cpuUsage(), await readChildrenMs()];
    commands = [];
    for (let check = 0; check < count; check += 1)
      for (const { code } of await router.findDrift()) drift.add(code);
    const { user, system } = process.cpuUsage(own);
    return {
      agentMs: (user + system) / 1000 / count,
      commandsMs: ((await readChildrenMs()) - children) / count,
      commands: commands.length / count,
      drift: [...drift],
    };
  },
};

const write = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, args } = JSON.parse(line) as {
    readonly id: number;
    readonly call: keyof DriftCalls;
    readonly args: readonly never[];
  };
  const handle = calls[call] as (...given: readonly never[]) => Promise<unknown>;
  await handle(...args).then(
    (value) => write({ id, value: value ?? null }),
    ({ name, message, cause }: Error) => write({ id, error: { name, message, cause: String(cause) } }),
  );
}
await router[Symbol.asyncDispose]();
