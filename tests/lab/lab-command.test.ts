/** `npm run lab` as a user without root runs it, and what remains when it ends. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { participants } from "../../src/lab/network.ts";
import { deployPeering, logIn } from "../integration/server/participant.ts";
import { eventually } from "./eventually.ts";
import { readStatus } from "./peering.ts";

const program = path.join(import.meta.dirname, "../../src/lab/main.ts");
const unprivilegedId = 65_534;

/** Debian lets all users open /dev/net/tun; on other systems only root may. */
const dropsRoot = process.getuid?.() === 0 && isOpenToAll("/dev/net/tun");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "peerdeck-lab-command-"));
  if (dropsRoot) await chown(folder, unprivilegedId, unprivilegedId);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Returns the command line of the lab, run as an unprivileged user if such a user can create tunnels. */
function commandLine(args: readonly string[]): readonly [string, ...string[]] {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const settings = Object.entries({ TMPDIR: folder, PORT: "0", PATH, NODE_COMPILE_CACHE }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const line = ["env", "-i", ...settings, process.execPath, program, ...args] as const;
  if (!dropsRoot) return [...line];
  return ["setpriv", `--reuid=${unprivilegedId}`, `--regid=${unprivilegedId}`, "--clear-groups", ...line];
}

function isOpenToAll(device: string): boolean {
  const readAndWrite = 0o006;
  const mode = statSync(device, { throwIfNoEntry: false })?.mode ?? readAndWrite;
  return (mode & readAndWrite) === readAndWrite;
}

async function lab(...args: readonly string[]) {
  const [command, ...rest] = commandLine(args);
  return promisify(execFile)(command, rest).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const children: ChildProcess[] = [];

function spawnLab() {
  const [command, ...rest] = commandLine([]);
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const exited = once(child, "exit");
  /** Sends a signal, and resolves with the exit code and the signal that ended the lab. */
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { end, readOutput: async () => output, descendants: () => findDescendants(child.pid ?? 0) };
}

/** Starts a lab, and resolves when at least three of its hosts are open. */
async function spawnHosts() {
  const started = spawnLab();
  await eventually(
    () => readdir(folder, { recursive: true }),
    (names) => names.filter((name) => name.includes("/")).length >= 3,
  );
  return started;
}

/** Returns the processes that a process has started, with their own. Those of BIRD belong to the lab's first process. */
async function findDescendants(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = (text.match(/[0-9]+/g) ?? []).map(Number);
  return [...pids, ...(await Promise.all(pids.map(findDescendants))).flat()];
}

const countRunning = (pids: readonly number[]) => pids.filter((pid) => existsSync(`/proc/${pid}`)).length;

const interfaces = async () => (await promisify(execFile)("ip", ["-o", "link"])).stdout;

test("runs, executes commands, joins a node, and leaves nothing when it ends", async () => {
  const before = await interfaces();
  const { end, readOutput, descendants } = spawnLab();
  const output = await eventually(readOutput, (text) => text.includes("Press Ctrl-C to stop."));
  const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(output)?.[0] ?? "";
  const processes = await descendants();
  expect(processes.length).toBeGreaterThan(30);

  const [plan] = participants;
  if (!plan) throw new Error("the lab has no participant");
  const readKey = `cat ${folder}/*/${plan.name}/wireguard.key | wg pubkey; exit 3`;
  const [executed, unknown, started, unpeered] = await Promise.all([
    lab("exec", plan.name, "sh", "-c", readKey),
    lab("exec", "perth", "true"),
    lab(),
    lab("join", "syd01"),
  ]);
  expect([executed, unknown, started, unpeered]).toMatchObject([
    { code: 3, stdout: expect.stringMatching(/^\S{44}\n$/) as string },
    {
      code: 1,
      stderr: expect.stringContaining("The lab has no host perth. It has provider, syd01") as string,
    },
    { code: 1, stderr: expect.stringContaining("A lab is already running") as string },
    { code: 1, stderr: `AS4242420001 has no peering on syd01. Create it first: ${url}/manager\n` },
  ]);

  const participant = await logIn(url, plan.asn, plan.password);
  await deployPeering(participant, "syd01", { remote_ip: plan.publicIp, public_key: executed.stdout.trim() });
  expect(await lab("join", "syd01")).toMatchObject({
    code: 0,
    stdout: `Brought up the tunnel dn42_2227_syd01 on ${plan.name}.\nConfigured the BGP sessions in BIRD.\n`,
  });
  await eventually(
    () => readStatus(participant, "syd01"),
    (status) => status?.sessions.map(({ state }) => state).join() === "Established",
  );
  expect(await lab("leave", "syd01")).toMatchObject({ code: 0 });
  expect(await lab("leave", "syd01")).toMatchObject({
    code: 1,
    stderr: "AS4242420001 has not joined syd01.\n",
  });

  const names = await readdir(folder);
  const info = names.find((name) => name.endsWith(".json")) ?? "";
  const running = names.find((name) => name !== info) ?? "";
  const published = await readFile(path.join(folder, info), "utf8");
  expect(await end("SIGTERM")).toEqual([0, null]);
  expect(countRunning(processes)).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect(await interfaces()).toBe(before);
  expect(await lab("exec", "syd01", "true")).toMatchObject({
    code: 1,
    stderr: "No lab is running. Start one in another terminal: npm run lab\n",
  });

  // The next start removes what a killed lab leaves, and ends when it is interrupted while it starts.
  await writeFile(path.join(folder, info), published);
  await mkdir(path.join(folder, running));
  const second = await spawnHosts();
  expect(await readdir(folder)).not.toContain(running);
  expect(await second.end("SIGINT")).toEqual([0, null]);
  expect(await readdir(folder)).toEqual([]);
});

test("leaves no process when it is killed", async () => {
  const { end, descendants } = await spawnHosts();
  const processes = await descendants();
  expect(processes.length).toBeGreaterThan(3);
  await end("SIGKILL");
  await eventually(
    async () => countRunning(processes),
    (count) => count === 0,
  );
});

test.each([
  ["does not exist", "true", "Load the kernel module with:\n\n    sudo modprobe tun\n"],
  ["is not accessible", "install -m 0 /dev/null /dev/net/tun", "Make it accessible to all users"],
])("prints instructions if /dev/net/tun %s", async (_state, make, advice) => {
  // In a mount namespace with other devices, and without the capability to bypass file permissions.
  const inside = `mount -t tmpfs tmpfs /dev/net && ${make} && exec setpriv --bounding-set=-all "$@"`;
  const child = ["-Urm", "sh", "-c", inside, "sh", process.execPath, program];
  await expect(promisify(execFile)("unshare", child)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(advice) as string,
  });
});
