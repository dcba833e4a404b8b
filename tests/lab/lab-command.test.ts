/** `npm run lab` as a user without root runs it, and what remains when it ends. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { chown, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { logIn } from "../../src/lab/accounts.ts";
import { participants } from "../../src/lab/network.ts";
import { waitForTask, peerUpdate } from "../integration/server/participant.ts";
import { eventually } from "./eventually.ts";

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

interface StartedLab {
  readonly url: string;
  /** Sends the lab a signal, and resolves with its exit code and the signal that ended it. */
  readonly end: (signal: NodeJS.Signals) => Promise<readonly unknown[]>;
}

const children: ChildProcess[] = [];

function spawnLab() {
  const [command, ...rest] = commandLine([]);
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const exited = once(child, "exit");
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return { child, end };
}

/** Starts the lab and resolves when it has printed its address. */
async function startLab(): Promise<StartedLab> {
  const { child, end } = spawnLab();
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await eventually(
    async () => output,
    (text) => text.includes("Press Ctrl-C to stop."),
  );
  return { url: /http:\/\/127\.0\.0\.1:[0-9]+/.exec(output)?.[0] ?? "", end };
}

/**
 * Finds the PID and network namespaces of the lab's hosts; the returned function counts the processes in
 * them.
 */
async function countProcesses() {
  const file = (await readdir(folder)).find((name) => name.endsWith(".json"));
  const place = JSON.parse(await readFile(path.join(folder, file ?? ""), "utf8")) as {
    readonly hosts: ReadonlyArray<{ readonly pid: number }>;
  };
  const kinds = ["pid", "net"] as const;
  const own = new Set(
    await Promise.all(
      place.hosts.flatMap(({ pid }) => kinds.map((kind) => readlink(`/proc/${pid}/ns/${kind}`))),
    ),
  );
  return async () => {
    const pids = (await readdir("/proc")).filter((name) => /^[0-9]+$/.test(name));
    const found = await Promise.all(
      pids.flatMap((pid) => kinds.map((kind) => readlink(`/proc/${pid}/ns/${kind}`).catch(() => ""))),
    );
    return found.filter((namespace) => own.has(namespace)).length;
  };
}

const interfaces = async () => (await promisify(execFile)("ip", ["-o", "link"])).stdout;

test("runs, executes commands, joins a node, and leaves no process when killed or ended", async () => {
  const before = await interfaces();
  const { url, end } = await startLab();
  const processCount = await countProcesses();
  expect(await processCount()).toBeGreaterThan(30);

  expect(await lab("exec", "syd01", "birdc", "show", "status")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Daemon is up and running") as string,
  });
  expect(await lab("exec", "per01", "false")).toMatchObject({ code: 1 });
  expect(await lab("exec", "perth", "true")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The lab has no host perth. It has provider, syd01") as string,
  });
  expect(await lab()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("A lab is already running") as string,
  });
  expect(await lab("join", "syd01")).toMatchObject({
    code: 1,
    stderr: `AS4242420001 has no peering on syd01. Create it first: ${url}/manager\n`,
  });

  const [plan] = participants;
  if (!plan) throw new Error("the lab has no participant");
  const call = await logIn(url, plan.asn, plan.password);
  const { stdout: key } = await lab(
    "exec",
    plan.name,
    "sh",
    "-c",
    `cat ${folder}/*/${plan.name}/wireguard.key | wg pubkey`,
  );
  const update = peerUpdate({ node: "syd01", remote_ip: plan.publicIp, public_key: key.trim() });
  const { taskID } = await call(calls.updatePeerConfig, [{ username: plan.asn }, update]);
  await waitForTask({ asn: plan.asn, cookie: "", call }, taskID);
  expect(await lab("join", "syd01")).toMatchObject({
    code: 0,
    stdout: `Brought up the tunnel dn42_2227_syd01 on ${plan.name}.\nConfigured the BGP sessions in BIRD.\n`,
  });
  await eventually(
    () => lab("exec", plan.name, "birdc", "show", "protocols", "dn42_2227_syd01"),
    ({ stdout }) => stdout.includes("Established"),
  );
  expect(await lab("leave", "syd01")).toMatchObject({ code: 0 });
  expect(await lab("leave", "syd01")).toMatchObject({
    code: 1,
    stderr: "AS4242420001 has not joined syd01.\n",
  });

  await end("SIGKILL");
  await eventually(processCount, (count) => count === 0);
  expect(await readdir(folder)).toHaveLength(2);
  // The next start removes the folder of the killed lab.
  const second = await startLab();
  expect(await readdir(folder)).toHaveLength(2);
  const secondCount = await countProcesses();
  expect(await secondCount()).toBeGreaterThan(30);
  expect(await second.end("SIGTERM")).toEqual([0, null]);
  expect(await secondCount()).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect(await interfaces()).toBe(before);
  expect(await lab("exec", "syd01", "true")).toMatchObject({
    code: 1,
    stderr: "No lab is running. Start one in another terminal: npm run lab\n",
  });
});

test("leaves nothing behind when interrupted while starting", async () => {
  const { end } = spawnLab();
  await eventually(
    () => readdir(folder),
    (names) => names.length > 0,
  );
  expect(await end("SIGINT")).toEqual([0, null]);
  expect(await readdir(folder)).toEqual([]);
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
