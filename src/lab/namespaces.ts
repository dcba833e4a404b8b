/**
 * Hosts in network namespaces on one machine, joined by one network that stands for the internet.
 *
 * Invariants: all of it runs in one user, one network and one PID namespace whose first process reads from
 * this one; when this process ends, however, that one does too, and the kernel ends all the others and
 * removes their interfaces. Nothing is done outside of these namespaces, and no root is needed.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { LabError } from "./network.ts";

/** What is enough to enter a host, from another process too. */
export interface HostPlace {
  readonly name: string;
  /** A folder of its own, the same path inside and outside. */
  readonly folder: string;
  /** Of the process that holds its namespaces. */
  readonly pid: number;
}

export interface LabHost extends HostPlace {
  /** Runs a command inside; rejects where it fails. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
  /** Starts one that stays, with its standard input and output piped. It ends with the lab. */
  readonly start: (program: string, ...args: readonly string[]) => ChildProcess;
}

export interface Internet extends AsyncDisposable {
  /** Holds the hosts' folders. */
  readonly folder: string;
  /** @param address on the network that all hosts share, with its prefix length */
  readonly host: (name: string, address: string) => Promise<LabHost>;
}

const execute = promisify(execFile);
const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };
/** Of each host: its own /run, where wireguard-go keeps its sockets. */
const holdOpen = "mount -t tmpfs tmpfs /run && mkdir /run/wireguard && echo ready && exec cat";
const forwarding = ["ipv4/ip_forward=1", "ipv6/conf/all/forwarding=1", "ipv4/conf/all/rp_filter=0"];

export async function openInternet(): Promise<Internet> {
  const folder = await mkdtemp(path.join(tmpdir(), "peerdeck-lab-"));
  const started: ChildProcess[] = [];
  const exits: Array<Promise<unknown>> = [];

  function start(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
    started.push(child);
    exits.push(once(child, "exit"));
    // What is written to one that has ended is lost, as it should be.
    child.stdin?.on("error", () => {});
    return child;
  }

  /** Starts what holds a host's namespaces, and gives the id of the process inside. */
  async function hold(program: string, ...args: readonly string[]): Promise<number> {
    const holder = start(program, [...args, "sh", "-c", holdOpen]);
    const ended = once(holder, "exit").then(() => {
      throw new LabError(`${program} ended: does the kernel allow user namespaces?`);
    });
    if (!holder.stdout || holder.pid === undefined) return ended;
    await Promise.race([once(holder.stdout, "data"), ended]);
    ended.catch(() => {});
    const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8");
    return Number(children.trim());
  }

  const outer = await hold("unshare", "-Urnmpf", "--kill-child");
  const wire = (...args: readonly string[]) => run(within(outer, "ip", "link", ...args));
  await wire("add", "internet", "type", "bridge");
  await wire("set", "internet", "up");

  async function host(name: string, address: string): Promise<LabHost> {
    const pid = await hold("nsenter", ...within(outer, "-p", "unshare", "-nm"));
    await wire("add", `to-${name}`, "type", "veth", "peer", "name", "eth0", "netns", String(pid));
    await wire("set", `to-${name}`, "master", "internet", "up");
    const home = path.join(folder, name);
    await mkdir(home, { recursive: true });
    const { run: runInside } = hostAt({ name, folder: home, pid });
    await runInside("ip", "link", "set", "lo", "up");
    await runInside("ip", "address", "add", address, "dev", "eth0");
    // No address that appears a second later, when it was found to be nobody else's.
    await runInside("ip", "link", "set", "eth0", "addrgenmode", "none", "up");
    for (const setting of forwarding) {
      const [file = "", value = ""] = setting.split("=");
      await runInside("sh", "-c", `echo ${value} > /proc/sys/net/${file}`);
    }
    return {
      name,
      folder: home,
      pid,
      run: runInside,
      start: (program, ...args) => start("nsenter", within(pid, "-p", program, ...args)),
    };
  }

  return {
    folder,
    host,
    [Symbol.asyncDispose]: async () => {
      // The first process of the PID namespace ends, and with it all others.
      started[0]?.stdin?.end();
      await Promise.all(exits);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A host that another process opened. */
export function hostAt(place: HostPlace): Omit<LabHost, "start"> {
  return { ...place, run: (program, ...args) => run(within(place.pid, "-p", program, ...args)) };
}

/** Runs a command inside with this process's own terminal, and gives its exit code. */
export async function enterHost(
  { pid }: HostPlace,
  program: string,
  args: readonly string[],
): Promise<number> {
  const inside = { ...env, TERM: process.env["TERM"] ?? "dumb" };
  const child = spawn("nsenter", within(pid, "-p", program, ...args), { stdio: "inherit", env: inside });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

/** What `nsenter` needs to run a command in a process's namespaces. */
function within(pid: number, ...args: readonly string[]): readonly string[] {
  return ["-t", String(pid), "-U", "-n", "-m", "--preserve-credentials", ...args];
}

async function run(args: readonly string[]): Promise<string> {
  const { stdout } = await execute("nsenter", args, { env, timeout: 30_000 });
  return stdout;
}
