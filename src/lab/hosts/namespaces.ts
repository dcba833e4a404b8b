/**
 * Hosts in network namespaces on one machine, connected by one network that represents the internet.
 *
 * Invariants: everything runs in one user, one network and one PID namespace whose first process reads from
 * this process. When this process ends in any way, the first process ends too, and the kernel ends all others
 * and removes their interfaces. Nothing outside these namespaces is changed, and root is not needed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runOk, runProcess } from "../../system/processes.ts";
import { LabError } from "../network.ts";

/** The information that any process needs to enter a host. */
export interface HostInfo {
  readonly name: string;
  /** The host's own folder; its path is the same inside and outside. */
  readonly folder: string;
  /** The id of the process that keeps its namespaces open. */
  readonly pid: number;
}

export interface LabHost extends HostInfo {
  /** Runs a command inside the host; rejects if it fails. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
  /** Starts a command that keeps running, with piped standard input and output. It ends with the lab. */
  readonly start: (program: string, ...args: readonly string[]) => ChildProcess;
}

export interface Internet extends AsyncDisposable {
  /** The folder of the hosts' folders. */
  readonly folder: string;
  /** @param address the address on the shared network, with its prefix length */
  readonly host: (name: string, address: string) => Promise<LabHost>;
  /** Opens a host whose only way to the internet is a router that translates its addresses and ports (NAT). */
  readonly hostBehind: (router: LabHost, name: string) => Promise<LabHost>;
}

const { NODE_COMPILE_CACHE } = process.env;
/** Programs of Node.js start in half the time if this process has a folder for compiled modules. */
const env = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
};
/** Keeps a host's namespaces open. Each host has its own /run, where wireguard-go keeps its sockets. */
const holdOpen = "mount -t tmpfs tmpfs /run && mkdir /run/wireguard && echo ready && exec cat";
/** What each host does first. */
const setUpHost = (address: string) => [
  "ip link set lo up",
  `ip address add ${address} dev eth0`,
  // Disables the generated address, which would appear a second later, after duplicate address detection.
  "ip link set eth0 addrgenmode none up",
  "cd /proc/sys/net",
  "echo 1 > ipv4/ip_forward",
  "echo 1 > ipv6/conf/all/forwarding",
  "echo 0 > ipv4/conf/all/rp_filter",
];

/** The first three numbers of the network behind a router. */
const natNetwork = "10.255.255";
/** A random port, as home routers choose: it cannot be guessed from the port behind. */
const natTable =
  "table ip nat { chain out { type nat hook postrouting priority srcnat; oifname eth0 masquerade fully-random; }; }";

export async function openInternet(): Promise<Internet> {
  const folder = await mkdtemp(path.join(tmpdir(), "peerdeck-lab-"));
  const started: ChildProcess[] = [];
  const exits: Array<Promise<unknown>> = [];

  function start(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
    started.push(child);
    exits.push(once(child, "exit"));
    // Input for an ended process is discarded.
    child.stdin?.on("error", () => {});
    return child;
  }

  /** Starts the process that keeps namespaces open, and returns its id inside. */
  async function startHolder(program: string, ...args: readonly string[]): Promise<number> {
    const holder = start(program, [...args, "sh", "-c", holdOpen]);
    const ended = once(holder, "exit").then(() => {
      throw new LabError(`${program} ended. Check that the kernel allows user namespaces.`);
    });
    if (!holder.stdout || holder.pid === undefined) return ended;
    await Promise.race([once(holder.stdout, "data"), ended]);
    ended.catch(() => {});
    const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8");
    return Number(children.trim());
  }

  const outer = await startHolder("unshare", "-Urnmpf", "--kill-child");
  const runLink = (...args: readonly string[]) => run(nsenterArguments(outer, "ip", "link", ...args));
  await runLink("add", "internet", "type", "bridge");
  await runLink("set", "internet", "up");

  async function host(name: string, address: string): Promise<LabHost> {
    const opened = await openHost(name, address);
    await runLink("set", `to-${name}`, "master", "internet", "up");
    return opened;
  }

  async function hostBehind(router: LabHost, name: string): Promise<LabHost> {
    const opened = await openHost(name, `${natNetwork}.2/24`);
    await runLink("set", `to-${name}`, "netns", String(router.pid));
    await runCommands(router, [
      `ip address add ${natNetwork}.1/24 dev to-${name}`,
      `ip link set to-${name} up`,
      `nft '${natTable}'`,
    ]);
    await opened.run("ip", "route", "add", "default", "via", `${natNetwork}.1`);
    return opened;
  }

  /** Opens a host whose end of its cable, `to-<name>`, is not yet connected. */
  async function openHost(name: string, address: string): Promise<LabHost> {
    const pid = await startHolder("nsenter", ...nsenterArguments(outer, "-p", "unshare", "-nm"));
    await runLink("add", `to-${name}`, "type", "veth", "peer", "name", "eth0", "netns", String(pid));
    const home = path.join(folder, name);
    await mkdir(home, { recursive: true });
    const opened = hostAt({ name, folder: home, pid });
    await runCommands(opened, setUpHost(address));
    return {
      ...opened,
      start: (program, ...args) => start("nsenter", nsenterArguments(pid, "-p", program, ...args)),
    };
  }

  return {
    folder,
    host,
    hostBehind,
    [Symbol.asyncDispose]: async () => {
      // Ending the first process of the PID namespace ends all others.
      started[0]?.stdin?.end();
      await Promise.all(exits);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a host that another process opened. */
export function hostAt(place: HostInfo): Omit<LabHost, "start"> {
  return { ...place, run: (program, ...args) => run(nsenterArguments(place.pid, "-p", program, ...args)) };
}

/** Runs shell commands one after the other in one process, and returns their output. Rejects if one fails. */
export function runCommands(host: Pick<LabHost, "run">, commands: readonly string[]): Promise<string> {
  return host.run("sh", "-ec", commands.join("\n"));
}

/** Runs a command inside a host with this process's terminal, and returns its exit code. */
export async function execInHost(
  { pid }: HostInfo,
  program: string,
  args: readonly string[],
): Promise<number> {
  const childEnvironment = { ...env, TERM: process.env["TERM"] ?? "dumb" };
  const child = spawn("nsenter", nsenterArguments(pid, "-p", program, ...args), {
    stdio: "inherit",
    env: childEnvironment,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

/** Returns the arguments of `nsenter` for a command in a process's namespaces. */
function nsenterArguments(pid: number, ...args: readonly string[]): readonly string[] {
  return ["-t", String(pid), "-U", "-n", "-m", "--preserve-credentials", ...args];
}

function run(args: readonly string[]): Promise<string> {
  const options = { cwd: process.cwd(), environment: env, timeoutMs: 30_000 };
  return runOk(runProcess, "nsenter", args, options);
}
