/**
 * Runs a program on the project's own Node.js: `node src/launch.cjs PROGRAM ARGUMENT…`. Every npm script starts with it,
 * because several of npm's versions before 11.6 leave no `node_modules/.bin/node`, and the machine's Node.js may be old.
 *
 * Plain JavaScript that Node.js 6 can parse, since any Node.js may run it.
 */
"use strict";
const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const root = path.join(__dirname, "..");
const { optionalDependencies } = readManifest(root);
/** The packages with Node.js, one for each platform, all of one version. npm installs the one for this machine. */
const packages = Object.keys(optionalDependencies).filter((name) => name.startsWith("node-"));
const version = optionalDependencies[packages[0]];
const major = parseInt(version, 10);
const forwardedSignals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"];

const args = process.argv.slice(2);
const { node, problem } = isMissing(args[0]) ? { problem: describeMissing(args[0]) } : findNode();
if (problem === undefined) run(node);
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/** Whether a program belongs to a package that is not installed. */
function isMissing(program) {
  return String(program).startsWith("node_modules/") && !fs.existsSync(program);
}

function describeMissing(program) {
  return `${program} is a development dependency, which npm ci --omit=dev does not install. Run npm ci.`;
}

/** Returns the path of a suitable Node.js, or a problem: the sentence that says what to install. */
function findNode() {
  const installed = packages.map(findBinary).find((binary) => binary !== null);
  if (installed !== undefined && isSameFile(installed, process.execPath)) return { node: process.execPath };
  const failure = installed === undefined ? "" : tryOut(installed);
  if (installed !== undefined && failure === "") return { node: installed };
  if (parseInt(process.versions.node, 10) >= major) return { node: process.execPath };
  if (installed === undefined) {
    const have = `Peerdeck needs Node.js ${major} or newer, and this is ${process.versions.node}`;
    return {
      problem: `${have}: install it, or let npm add it on Linux and macOS, with Node.js 20 or newer and without --omit=optional.`,
    };
  }
  return {
    problem: /libatomic\.so/.test(failure)
      ? `Node.js ${version} needs the library libatomic. Install it, on Debian and Ubuntu with: apt-get install libatomic1`
      : `Node.js ${version} of node_modules does not run on this machine (${failure}). Install Node.js ${major} or newer.`,
  };
}

/** Returns the path of a package's Node.js, or null if it is not installed or made for another platform. */
function findBinary(name) {
  const folder = findPackage(name);
  if (folder === null) return null;
  const { version: installed, os, cpu, bin } = readManifest(folder);
  const fits = [].concat(os).includes(process.platform) && [].concat(cpu).includes(process.arch);
  // A folder further up may have another one.
  if (!fits || installed !== version) return null;
  const binary = path.join(folder, bin.node);
  // An interrupted installation leaves packages without their files.
  return fs.existsSync(binary) ? binary : null;
}

/** Returns a package's folder: in a checkout in `node_modules`, of an installed package perhaps beside it. Null without one. */
function findPackage(name) {
  try {
    return path.dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Returns why a Node.js does not run, in one line, or an empty string if it does. */
function tryOut(binary) {
  const { status, signal, error, stderr } = spawnSync(binary, ["--version"], { encoding: "utf8" });
  if (status === 0) return "";
  return error ? error.code : stderr.trim().split("\n")[0] || `it ends with ${signal || status}`;
}

function run(binary) {
  // Replaces this process where Node.js can: from 22.15 on, and not on Windows.
  if (process.execve && process.platform !== "win32")
    process.execve(binary, [binary].concat(args), process.env);
  const child = spawn(binary, args, { stdio: "inherit" });
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of forwardedSignals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function readManifest(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

function isSameFile(one, other) {
  return fs.realpathSync(one) === fs.realpathSync(other);
}
