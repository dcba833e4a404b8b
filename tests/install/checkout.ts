/** A fresh clone, and the commands that run in it. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";
import { repository } from "../support/repository.ts";
import { asRoot } from "../support/root-command.ts";
import { type RunningStart, startNpm } from "./npm-start.ts";

export interface Outcome {
  readonly code: number;
  /** What the command printed, without npm's own lines. */
  readonly output: string;
}

export interface HiddenBuild {
  /** Where the builds were. */
  readonly folder: string;
  readonly restore: () => Promise<void>;
}

export interface Checkout extends AsyncDisposable {
  readonly folder: string;
  /** Runs a command to its end. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<Outcome>;
  /** Runs a command to its end, as a user who may not write into the checkout. */
  readonly runAsOther: (command: string, ...args: readonly string[]) => Promise<Outcome>;
  /** Resolves when the server responds. */
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<RunningStart>;
  /** Copies a folder of the repository: a build of the web app becomes newer than the sources. */
  readonly copyFromRepository: (name: string) => Promise<void>;
  readonly has: (file: string) => boolean;
  /** Moves the builds away. */
  readonly hideBuild: () => Promise<HiddenBuild>;
}

/** Clones the repository's commit. */
export async function cloneCommit(shell: Readonly<Record<string, string>>): Promise<Checkout> {
  // A gigabyte, and /tmp may be in memory.
  const parent = await mkdtemp("/var/tmp/peerdeck-clone-");
  await chmod(parent, 0o755);
  const folder = path.join(parent, "peerdeck");
  await promisify(execFile)("git", ["clone", "--quiet", repository, folder]);
  const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    const lines = output.split("\n").filter((line) => line !== "" && !/^(?:> |npm )/.test(line));
    return { code, output: lines.join("\n") };
  };
  return {
    folder,
    run: (command, ...args) => run(command, args, shell),
    runAsOther: (command, ...args) => {
      const user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
      const variables = { ...shell, HOME: "/nonexistent" };
      const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      const [file, ...rest] = asRoot("env", "-i", ...settings, ...user, command, ...args);
      return run(file, rest, process.env);
    },
    start: async (environment = {}) => {
      const port = await freePort();
      const dataDir = path.join(parent, `data-${port}`);
      const variables = { ...shell, PORT: String(port), DATA_DIR: dataDir, ...environment };
      return startNpm(folder, port, variables);
    },
    copyFromRepository: async (name) => {
      const to = path.join(folder, name);
      await mkdir(path.dirname(to), { recursive: true });
      await promisify(execFile)("cp", ["-r", "--no-dereference", path.join(repository, name), to]);
    },
    has: (file) => existsSync(path.join(folder, file)),
    hideBuild: async () => {
      const build = path.join(folder, "build");
      const hidden = path.join(parent, "build");
      await rename(build, hidden);
      return { folder: build, restore: () => rename(hidden, build) };
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}
