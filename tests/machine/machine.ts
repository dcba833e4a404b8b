/**
 * A Debian machine that boots with systemd, in a container with a network of its own. What it writes is discarded at the
 * end. When this process ends, so does the machine.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { asRoot, runAsRoot } from "../support/root-command.ts";
import { type MachineKind, openDebianRoot } from "./debian-root.ts";

const execute = promisify(execFile);
const pollMs = 200;
const bootTimeoutMs = 120_000;

export interface Machine extends AsyncDisposable {
  /** The folder of the machine's files, which this process can read and write as root. */
  readonly root: string;
  /** Runs a shell command as the machine's root. Returns its output; rejects if it fails. */
  readonly run: (command: string) => Promise<string>;
  /** Returns the ID of the machine's first process. */
  readonly findPid: () => Promise<string>;
  /** Resolves when the machine has booted again. */
  readonly reboot: () => Promise<void>;
}

/** Boots a new machine. */
export async function bootMachine(kind: MachineKind = "router"): Promise<Machine> {
  await using parts = new AsyncDisposableStack();
  const lower = await openDebianRoot(kind);
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-machine-"));
  parts.defer(() => runAsRoot("rm", "-rf", folder));
  const [upper, work, root] = [join(folder, "upper"), join(folder, "work"), join(folder, "root")] as const;
  for (const path of [upper, work, root]) await mkdir(path);
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  await runAsRoot("mount", "-t", "overlay", "overlay", "-o", layers, root);
  parts.defer(() => runAsRoot("umount", "--lazy", root));

  let container = startContainer(root);
  parts.defer(() => stop(container));

  const run = async (command: string) => {
    const leader = await findLeader(container);
    const [file, ...args] = asRoot("nsenter", "--target", leader, "--all", "--", ...shell, command);
    return (await execute(file, args, { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 })).stdout;
  };
  const waitUntilBooted = async () => {
    const limit = Date.now() + bootTimeoutMs;
    // Of a machine that is not up yet, the command fails.
    while (
      !/^(?:running|degraded)$/m.test(await run("systemctl is-system-running || true").catch(() => ""))
    ) {
      if (container.child.exitCode !== null)
        throw new Error(`The machine did not boot: systemd-nspawn ended. ${container.readErrors()}`.trim());
      if (Date.now() > limit) throw new Error("The machine did not boot within two minutes.");
      await pause(pollMs);
    }
    // Like udev, which does not run in a container.
    await run("chmod 666 /dev/net/tun");
  };
  await waitUntilBooted();
  const all = parts.move();
  return {
    root,
    run,
    findPid: () => findLeader(container),
    reboot: async () => {
      // systemd-nspawn ends at a reboot, so that its caller can start it again.
      const ended = once(container.child, "exit", { signal: AbortSignal.timeout(bootTimeoutMs) });
      await run("systemctl --no-block reboot");
      await ended;
      container = startContainer(root);
      await waitUntilBooted();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Connects machines as by a switch, which is the first one: each has an interface `lan` with this address and its length. */
export async function connectMachines(addresses: ReadonlyMap<Machine, string>): Promise<void> {
  const [hub, ...others] = addresses.keys();
  if (!hub) return;
  await hub.run("ip link add lan type bridge");
  for (const [index, machine] of others.entries()) {
    const port = `port${index}`;
    const ends = [port, "netns", await hub.findPid(), "type", "veth", "peer", "name", "lan"];
    await runAsRoot("ip", "link", "add", ...ends, "netns", await machine.findPid());
    await hub.run(`ip link set ${port} master lan up`);
  }
  for (const [machine, address] of addresses)
    await machine.run(`ip address add ${address} dev lan; ip link set lan up`);
}

const environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive"];
const shell = ["env", "-i", ...environment, "sh", "-ec"];

const maxErrorLength = 4_096;

interface Container {
  readonly child: ChildProcess;
  /** The end of what systemd-nspawn wrote to its standard error. */
  readonly readErrors: () => string;
}

/** Boots the files of a folder. */
export function startContainer(root: string): Container {
  const [program, ...args] = asRoot(
    "setpriv",
    // The signal ends the machine if this process is killed.
    "--pdeathsig",
    "KILL",
    "systemd-nspawn",
    "--quiet",
    "--boot",
    `--directory=${root}`,
    `--machine=${root.split("/").at(-2)}`,
    "--private-network",
    // This machine's service manager need not know the container.
    "--register=no",
    "--keep-unit",
    "--console=pipe",
  );
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxErrorLength);
  });
  return { child, readErrors: () => stderr.trim() };
}

/** Returns the ID of the machine's first process. */
async function findLeader({ child: container }: Container): Promise<string> {
  const descend = async (pid: string): Promise<string> => {
    const name = await readFile(`/proc/${pid}/comm`, "utf8");
    const [child = ""] = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
    if (child === "") throw new Error("the machine is not up");
    return name === "systemd-nspawn\n" ? child : descend(child);
  };
  return descend(String(container.pid));
}

async function stop(container: Container): Promise<void> {
  if (container.child.exitCode !== null || container.child.signalCode !== null) return;
  const exited = once(container.child, "exit");
  const leader = await findLeader(container).catch(() => String(container.child.pid));
  await runAsRoot("kill", "-KILL", leader).catch(() => undefined);
  await exited;
}
