/** The program that every npm script starts with, on the Node.js of a newcomer and on a new one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { repository } from "../support/repository.ts";
import { shellWith } from "./npm-pair.ts";

/** Its major version is in the sentences below. */
const version = process.version.slice(1);
const packageName = `node-${process.platform}-${process.arch}`;
const manifest = { version, os: [process.platform], cpu: [process.arch], bin: { node: "bin/node" } };
const newNode = path.join(repository, "node_modules", packageName, "bin/node");

let oldShell: Record<string, string>;
let root: string;
beforeAll(async () => {
  oldShell = await shellWith({ npm: "10.8.2", node: "20.20.2" });
});
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "peerdeck-launcher-"));
  await mkdir(path.join(root, "src"));
  await copyFile(path.join(repository, "src/launch.cjs"), path.join(root, "src/launch.cjs"));
  const optionalDependencies = { [packageName]: version, "node-other-cpu": version };
  await writeFile(path.join(root, "package.json"), JSON.stringify({ optionalDependencies }));
});
afterEach(async () => rm(root, { recursive: true }));

/** Installs a package whose Node.js is a link to the project's own, or a script. */
async function install(script: string | null, about: Readonly<Record<string, unknown>> = manifest) {
  const folder = path.join(root, "node_modules", packageName);
  await mkdir(path.join(folder, "bin"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(about));
  const binary = path.join(folder, "bin/node");
  if (script === null) return symlink(newNode, binary);
  await writeFile(binary, script);
  return chmod(binary, 0o755);
}

/** Starts the launcher with Node.js's option for evaluating a text. */
function launch(node: string, program: string, ...args: readonly string[]) {
  const child = spawn(node, [path.join(root, "src/launch.cjs"), "-e", program, ...args], {
    env: oldShell,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const outputs = [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join(""));
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    result: Promise.all([ended, ...outputs]).then(([[code, signal], stdout, stderr]) => ({
      code,
      signal,
      stdout,
      stderr,
    })),
  };
}

const printVersion = "console.log(process.version)";
const loader =
  "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory";
const needsNewer =
  "Peerdeck needs Node.js 26 or newer, and this is 20.20.2: install it, or let npm add it on Linux and macOS, with Node.js 20 or newer and without --omit=optional.\n";

describe("an old Node.js", () => {
  test.each([
    ["is not installed", undefined, undefined, needsNewer],
    ["is made for another system", null, { ...manifest, os: ["aix"] }, needsNewer],
    ["is made for another processor", null, { ...manifest, cpu: ["mips"] }, needsNewer],
    ["has another version", null, { ...manifest, version: "26.0.0" }, needsNewer],
    // An interrupted installation leaves packages without their files.
    ["has no file", "", { ...manifest, bin: { node: "bin/missing" } }, needsNewer],
    [
      "lacks a library",
      `#!/bin/sh\necho '${loader}' >&2; exit 127\n`,
      manifest,
      `Node.js ${version} needs the library libatomic. Install it, on Debian and Ubuntu with: apt-get install libatomic1\n`,
    ],
    [
      "cannot run here",
      "#!/nonexistent/ld-linux.so\n",
      manifest,
      `Node.js ${version} of node_modules does not run on this machine (ENOENT). Install Node.js 26 or newer.\n`,
    ],
    [
      "has a processor of another kind",
      "#!/bin/sh\nkill -ILL $$\n",
      manifest,
      `Node.js ${version} of node_modules does not run on this machine (it ends with SIGILL). Install Node.js 26 or newer.\n`,
    ],
    [
      "is broken",
      "#!/bin/sh\nexit 3\n",
      manifest,
      `Node.js ${version} of node_modules does not run on this machine (it ends with 3). Install Node.js 26 or newer.\n`,
    ],
  ] as const)("says what to install if the project's own %s", async (_, script, about, stderr) => {
    if (script !== undefined) await install(script, about);
    const expected = { code: 1, signal: null, stdout: "", stderr };
    expect(await launch(oldNode(), printVersion).result).toEqual(expected);
  });

  test("starts the project's own", async () => {
    await install(null);
    expect(await launch(oldNode(), printVersion).result).toMatchObject({ code: 0, stdout: `v${version}\n` });
  });
});

test.each([
  ["is not installed", undefined],
  ["is broken", "#!/bin/sh\nexit 3\n"],
] as const)("a new Node.js serves if the project's own %s", async (_, script) => {
  if (script !== undefined) await install(script);
  expect(await launch(newNode, printVersion).result).toMatchObject({ code: 0, stdout: `v${version}\n` });
});

describe.each([
  ["starts", () => oldNode()],
  ["is replaced by", () => newNode],
] as const)("a launcher that %s the program", (_, node) => {
  beforeEach(() => install(null));

  test("passes on arguments and the exit code", async () => {
    const program = "console.log(JSON.stringify(process.argv.slice(1))); process.exitCode = 7";
    const args = ["two words", "$HOME", "", '"'];
    expect(await launch(node(), program, ...args).result).toEqual({
      code: 7,
      signal: null,
      stdout: `${JSON.stringify(args)}\n`,
      stderr: "",
    });
  });

  test("passes on signals, and ends by a signal like the program", async () => {
    const signals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;
    const program = `
      for (const signal of ${JSON.stringify(signals)}) process.on(signal, console.log);
      process.on("SIGUSR2", () => process.kill(process.pid, "SIGKILL"));
      setInterval(() => {}, 1000);
      console.log("ready");`;
    const { child, result } = launch(node(), program);
    for (const signal of signals) {
      await once(child.stdout, "data");
      child.kill(signal);
    }
    const numbers = signals.map((signal) => `${signal} ${constants.signals[signal]}\n`);
    expect(await result).toMatchObject({ signal: "SIGKILL", stdout: `ready\n${numbers.join("")}` });
  });
});

test("a program of a package that is not installed ends in a sentence", async () => {
  await install(null);
  const child = spawn(oldNode(), [path.join(root, "src/launch.cjs"), "node_modules/vite/bin/vite.js"], {
    cwd: root,
  });
  const stderr = await child.stderr.toArray();
  expect(stderr.join("")).toBe(
    "node_modules/vite/bin/vite.js is a development dependency, which npm ci --omit=dev does not install. Run npm ci.\n",
  );
});

function oldNode(): string {
  const [, folder = ""] = (oldShell["PATH"] ?? "").split(":");
  return path.join(folder, "node");
}
