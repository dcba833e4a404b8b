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
import { startNpm } from "./npm-start.ts";

export interface Outcome {
  readonly code: number;
  /** What the command printed, without npm's own lines. */
  readonly output: string;
}

export type Checkout = Awaited<ReturnType<typeof cloneCommit>>;

/** Clones the repository's commit. */
export async function cloneCommit(shell: Readonly<Record<string, string>>) {
  // A gigabyte, and /tmp may be in memory.
  const parent = await mkdtemp("/var/tmp/peerdeck-clone-");
  await chmod(parent, 0o755);
  const folder = path.join(parent, "peerdeck");
  await promisify(execFile)("git", ["clone", "--quiet", repository, folder]);
  const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    const lines = output.split("\n").filter((line) => line !== "" && !/^(?:> |npm )/.test(line));
    return { code, output: lines.join("\n") };
  };
  return {
    /** Runs a command to its end. */
    run: (command: string, ...args: readonly string[]) => run(command, args, shell),
    /** Runs a command to its end, as a user who may not write into the checkout. */
    runAsOther: (command: string, ...args: readonly string[]) => {
      const user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
      const variables = { ...shell, HOME: "/nonexistent" };
      const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      const [file, ...rest] = asRoot("env", "-i", ...settings, ...user, command, ...args);
      return run(file, rest, process.env);
    },
    /** Resolves when the server responds. */
    start: async (environment: Readonly<Record<string, string>>) => {
      const port = await freePort();
      const dataDir = path.join(parent, `data-${port}`);
      const env = { PORT: String(port), DATA_DIR: dataDir, ...environment };
      return startNpm(["npm", "start"], { cwd: folder, port, env });
    },
    /** Copies a folder of the repository: a build of the web app becomes newer than the sources. */
    copyFromRepository: async (name: string) => {
      const to = path.join(folder, name);
      await mkdir(path.dirname(to), { recursive: true });
      await promisify(execFile)("cp", ["-r", "--no-dereference", path.join(repository, name), to]);
    },
    has: (file: string) => existsSync(path.join(folder, file)),
    /** Moves the builds away meanwhile. */
    withoutBuild: async (use: (folder: string) => Promise<void>) => {
      const [build, hidden] = [path.join(folder, "build"), path.join(parent, "build")];
      await rename(build, hidden);
      await use(build);
      await rename(hidden, build);
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}
