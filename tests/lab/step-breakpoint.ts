/**
 * Records every step of an agent's apply in order: each command, each line to BIRD's control socket, each
 * file operation. The agent can be paused before a step.
 *
 * With a sequential order (`sequential-order.ts`), a step begins when the previous one has ended (except two that only read),
 * so the moments between two steps are all possible moments: a kill just after one step is a kill just before the next.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import path from "node:path";
import type { Clock } from "../../src/agent/clock.ts";
import type { Run } from "../../src/system/processes.ts";

export interface StepBreakpoint {
  /**
   * Runs a job and returns its value and the names of its steps. Concurrent work of others is not recorded.
   */
  readonly trace: <T>(
    pauseAt: number | null,
    job: () => Promise<T>,
  ) => Promise<{ readonly value: T; readonly steps: readonly string[] }>;
  /** Resumes the paused step. */
  readonly resume: () => void;
  readonly wrapRun: (run: Run) => Run;
  /**
   * Work that the job starts and does not wait for, such as the restart of a handshake, begins with a pause that can be
   * aborted. The pause lasts until the job has ended, or such work would be among the steps of a job that is slow.
   */
  readonly wrapClock: (clock: Clock) => Clock;
  /** Starts recording this process's file operations and socket writes. */
  readonly instrumentModules: () => void;
}

/** @param onPaused receives the steps so far; the last one is paused. */
export function createStepBreakpoint(onPaused: (steps: readonly string[]) => void): StepBreakpoint {
  const currentJob = new AsyncLocalStorage<readonly string[]>();
  let steps: string[] | null = null;
  let pauseNumber: number | null = null;
  let release: (() => void) | null = null;
  let ended = Promise.withResolvers<void>();

  async function step(name: string): Promise<void> {
    // Repeated polling of the same thing counts as one step.
    if (!steps || steps.at(-1) === name) return;
    const number = steps.push(name);
    if (number !== pauseNumber) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    onPaused(steps);
    await promise;
  }
  const recordOwn = async (name: string) => {
    if (currentJob.getStore() === steps) await step(name);
  };

  function instrumentFiles(): void {
    const { open, rename, rm, symlink, writeFile } = fs;

    Object.assign(fs, {
      open: async (...args: Parameters<typeof open>) => {
        if (args[1] !== "r") await recordOwn(`open ${shortName(args[0])}`);
        return instrumentFile(await open(...args), shortName(args[0]));
      },
      rename: async (...args: Parameters<typeof rename>) => {
        await recordOwn(`rename to ${shortName(args[1])}`);
        return rename(...args);
      },
      rm: async (...args: Parameters<typeof rm>) => {
        await recordOwn(`remove ${shortName(args[0])}`);
        return rm(...args);
      },
      symlink: async (...args: Parameters<typeof symlink>) => {
        await recordOwn(`link ${shortName(args[1])} to ${shortName(args[0])}`);
        return symlink(...args);
      },
      writeFile: async (...args: Parameters<typeof writeFile>) => {
        await recordOwn(`write ${withoutRandomPart(pathOf(args[0]))}`);
        return writeFile(...args);
      },
    });
    syncBuiltinESMExports();
  }

  function instrumentFile(file: FileHandle, name: string): FileHandle {
    const fill = file.writeFile.bind(file);
    const sync = file.sync.bind(file);
    file.writeFile = async (...args: Parameters<typeof fill>) => {
      await recordOwn(`fill ${name}`);
      return fill(...args);
    };
    file.sync = async () => {
      await recordOwn(`sync ${name}`);
      return sync();
    };
    return file;
  }

  function instrumentSockets(): void {
    const { connect } = net;
    Object.assign(net, {
      connect: (...args: Parameters<typeof connect>) => {
        const socket = connect(...args);
        // The polls of wireguard-go change nothing, and how many there are depends on the machine's load.
        if (!args[0].endsWith("bird.ctl")) return socket;
        const write = socket.write.bind(socket);
        const pausedWrite = async (line: string) => {
          // A check changes nothing either, and is repeated if BIRD's time of its start varies, as it does under load.
          if (line.trim() !== "configure check") await recordOwn(`bird: ${line.trim()}`);
          write(line);
        };
        return Object.assign(socket, { write: (line: string) => void pausedWrite(line) });
      },
    });
    syncBuiltinESMExports();
  }

  return {
    trace: async (pauseAt, job) => {
      const jobSteps: string[] = [];
      steps = jobSteps;
      pauseNumber = pauseAt;
      try {
        const value = await currentJob.run(jobSteps, job);
        await step("respond");
        return { value, steps: jobSteps };
      } finally {
        steps = null;
        ended.resolve();
        ended = Promise.withResolvers();
      }
    },
    resume: () => release?.(),
    wrapRun: (run) => async (program, args, options) => {
      const shownArgs = args.map((word) => word.replace(/.*\/\.syncconf-.*/, ".syncconf"));
      const [firstLine] = typeof options?.input === "string" ? options.input.split("\n") : [];
      const what = program === "ip" && firstLine !== undefined ? `: ${firstLine}` : "";
      await recordOwn(`${[program, ...shownArgs].join(" ")}${what}`);
      return run(program, args, options);
    },
    wrapClock: (clock) => ({
      ...clock,
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        if (signal && steps && currentJob.getStore() === steps) await untilAborted(ended.promise, signal);
      },
    }),
    instrumentModules: () => {
      instrumentFiles();
      instrumentSockets();
    },
  };
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => aborted.resolve(), { once: true });
  await Promise.race([promise, aborted.promise]);
}

function pathOf(file: unknown): string {
  return typeof file === "string" ? file : "a file";
}

function withoutRandomPart(file: string): string {
  return file.replace(/-[0-9a-f-]{36}$/, "");
}

/** Returns a file's name without random or alternating parts. */
function shortName(file: unknown): string {
  return withoutRandomPart(path.basename(pathOf(file))).replace(/^[ab]$/, "a or b");
}
