/**
 * Every step that an agent takes while it applies a change, in order: each command, each line to BIRD's control
 * socket, each operation on a file. A step can be held before it is begun.
 *
 * A step begins when the one before has ended (but for two that only read), so the moments between two steps are
 * all the moments there are: what is killed just after one is killed just before the next.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import path from "node:path";
import type { Run } from "../../src/agent/processes.ts";

export interface StepGate {
  /** Does a work whose steps are counted, and gives their names. The work of others at the same time is not. */
  readonly watch: <T>(
    holdAt: number | null,
    work: () => Promise<T>,
  ) => Promise<{ readonly value: T; readonly steps: readonly string[] }>;
  /** Lets what is held go on. */
  readonly go: () => void;
  readonly run: (run: Run) => Run;

  /** Counts what this process does with files, and writes to sockets, from now on. */
  readonly watchModules: () => void;
}

export function createStepGate(onHeld: (step: string) => void): StepGate {
  const inWork = new AsyncLocalStorage<readonly string[]>();
  let steps: string[] | null = null;
  let heldNumber: number | null = null;
  let release: (() => void) | null = null;

  async function step(name: string): Promise<void> {
    // What is asked again until the answer is the one that is waited for is one step.
    if (!steps || steps.at(-1) === name) return;
    const number = steps.push(name);
    if (number !== heldNumber) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    onHeld(name);
    await promise;
  }
  const own = async (name: string) => {
    if (inWork.getStore() === steps) await step(name);
  };

  function watchFiles(): void {
    const { open, rename, rm, symlink, writeFile } = fs;

    Object.assign(fs, {
      open: async (...args: Parameters<typeof open>) => {
        if (args[1] !== "r") await own(`open ${short(args[0])}`);
        return watched(await open(...args), short(args[0]));
      },
      rename: async (...args: Parameters<typeof rename>) => {
        await own(`rename to ${short(args[1])}`);
        return rename(...args);
      },
      rm: async (...args: Parameters<typeof rm>) => {
        await own(`remove ${short(args[0])}`);
        return rm(...args);
      },
      symlink: async (...args: Parameters<typeof symlink>) => {
        await own(`link ${short(args[1])} to ${short(args[0])}`);
        return symlink(...args);
      },
      writeFile: async (...args: Parameters<typeof writeFile>) => {
        await own(`write ${pathOf(args[0])}`);
        return writeFile(...args);
      },
    });
    syncBuiltinESMExports();
  }

  function watched(file: FileHandle, name: string): FileHandle {
    const fill = file.writeFile.bind(file);
    const sync = file.sync.bind(file);
    file.writeFile = async (...args: Parameters<typeof fill>) => {
      await own(`fill ${name}`);
      return fill(...args);
    };
    file.sync = async () => {
      await own(`sync ${name}`);
      return sync();
    };
    return file;
  }

  function watchSockets(): void {
    const { connect } = net;
    Object.assign(net, {
      connect: (...args: Parameters<typeof connect>) => {
        const socket = connect(...args);
        const write = socket.write.bind(socket);
        const held = async (line: string) => {
          await own(`bird: ${line.trim()}`);
          write(line);
        };
        return Object.assign(socket, { write: (line: string) => void held(line) });
      },
    });
    syncBuiltinESMExports();
  }

  return {
    watch: async (holdAt, work) => {
      const mine: string[] = [];
      steps = mine;
      heldNumber = holdAt;
      try {
        const value = await inWork.run(mine, work);
        await step("answer");
        return { value, steps: mine };
      } finally {
        steps = null;
      }
    },
    go: () => release?.(),
    run: (run) => async (program, args, options) => {
      const shown = args.map((word) => word.replace(/.*\/\.syncconf-.*/, ".syncconf"));
      await own([program, ...shown].join(" "));
      return run(program, args, options);
    },
    watchModules: () => {
      watchFiles();
      watchSockets();
    },
  };
}

function pathOf(file: unknown): string {
  return typeof file === "string" ? file : "a file";
}

/** Its name without what is random in it, or differs from one change to the next. */
function short(file: unknown): string {
  return path
    .basename(pathOf(file))
    .replace(/-[0-9a-f-]{36}$/, "")
    .replace(/^[ab]$/, "a or b");
}
