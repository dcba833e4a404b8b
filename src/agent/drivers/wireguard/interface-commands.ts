/**
 * Commands for one tunnel's interface with `ip` and `wg`. Each call runs one or a few commands; none reads
 * other interfaces.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { allDone } from "../../all-done.ts";
import { ProcessError, type Run, runOk } from "#system/processes.ts";
import { writeInterfaceSetting, writeInterfaceSettings } from "../drift/interface-settings.ts";
import { hasKernelIpv6, isIpv6Disabled } from "../linux/ipv6-settings.ts";

/** A change of what `ip` sets. */
export interface LinkChange {
  /** Null if it does not change. */
  readonly mtu: number | null;
  readonly remove: readonly string[];
  readonly add: readonly string[];
}

export interface InterfaceCommands {
  /** Whether an interface of that name exists, also one of another program. */
  readonly exists: (name: string) => Promise<boolean>;
  /**
   * Creates the interface in the kernel, or with wireguard-go if the kernel has no WireGuard, sets it up and changes it, with
   * the kernel's settings. If it fails, there is none.
   */
  readonly create: (name: string, change: LinkChange) => Promise<void>;
  /** Creates an interface that is down and has no addresses. If it fails, there is none. */
  readonly createDown: (name: string) => Promise<void>;
  /** Removes the interface; resolves if it does not exist. */
  readonly remove: (name: string) => Promise<void>;
  /** Applies a configuration; a peer with unchanged key and endpoint keeps its handshake. */
  readonly configure: (name: string, config: string) => Promise<void>;
  readonly changeLink: (name: string, change: LinkChange) => Promise<void>;
  /** Sets an interface up that is down, and then changes it, with the kernel's settings. */
  readonly up: (name: string, change: LinkChange) => Promise<void>;
  readonly changeSettings: (name: string) => Promise<void>;
  readonly releasePort: (name: string) => Promise<void>;
  readonly removePeer: (name: string, publicKey: string) => Promise<void>;
}

/** The folder of wireguard-go's control sockets. A socket appears before anything reads from it. */
const userspaceFolder = "/var/run/wireguard";
/** wireguard-go sets it when it begins to serve an interface, which may be after `ip` has set another one. */
const userspaceMtu = 1420;
const userspaceTries = 2000;
const userspacePauseMs = 2.5;

type Sleep = (ms: number) => Promise<void>;

/** The name prefix of the files that `wg` reads; they contain the node's key and pre-shared keys. */
const configPrefix = ".syncconf-";

/**
 * Creates the commands, and removes the files that a killed agent left in the folder.
 *
 * @param folder where a configuration is written for `wg` to read, for the duration of the call
 */
export async function openInterfaceCommands(
  run: Run,
  folder: string,
  sleep: Sleep,
): Promise<InterfaceCommands> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(configPrefix)) await rm(join(folder, name));
  }
  const batch = (lines: readonly string[]) =>
    lines.length === 0
      ? Promise.resolve("")
      : runOk(run, "ip", ["-batch", "-"], { input: `${lines.join("\n")}\n` });
  /** If the kernel gets WireGuard later, the agent uses it after its next start. */
  let kernelHasWireguard = true;

  const deleteLink = (name: string) => run("ip", ["link", "delete", "dev", name]);

  /** Returns false if the kernel has no WireGuard. */
  async function createInKernel(name: string, lines: readonly string[]): Promise<boolean> {
    const input = [`link add dev ${name} type wireguard`, ...lines, ""].join("\n");
    const { code, stderr } = await run("ip", ["-batch", "-"], { input });
    if (code === 0) return true;
    // Otherwise the interface is another program's, or there is none.
    const isCreated = !/^Command failed -:1$/m.test(stderr);
    if (isCreated) await deleteLink(name);
    else if (/Unknown device type|not supported/i.test(stderr)) return false;
    throw new ProcessError(stderr.trim());
  }

  async function createInUserspace(name: string, lines: readonly string[], mtu: number): Promise<void> {
    await runOk(run, "wireguard-go", [name]);
    const started = waitForStart(name, sleep);
    try {
      // The interface exists before wireguard-go serves it. That it ended is the reason, if both fail.
      await allDone<unknown>([started, batch(lines)]);
      if (mtu !== userspaceMtu) await batch([mtuLine(name, mtu)]);
    } catch (error) {
      await deleteLink(name);
      await started.then(() => waitForExit(name, sleep)).catch(() => {});
      throw error;
    }
  }

  async function create(name: string, lines: readonly string[], mtu = userspaceMtu): Promise<void> {
    kernelHasWireguard &&= await createInKernel(name, lines);
    if (!kernelHasWireguard) await createInUserspace(name, lines, mtu);
  }

  async function remove(name: string): Promise<void> {
    const { code, stderr } = await deleteLink(name);
    if (code !== 0 && !/Cannot find device/.test(stderr)) throw new ProcessError(stderr.trim());
    // wireguard-go exits a moment after its interface is removed; until then the next one of that name
    // cannot start.
    await waitForExit(name, sleep);
  }

  async function synchronize(name: string, path: string): Promise<void> {
    const { code, stderr } = await run("wg", ["syncconf", name, path]);
    if (code === 0) return;
    // `wg` quotes the text that it rejects, and the file contains secrets.
    const message = stderr.trim().replaceAll(/^([^`\n]*)`.*'/gm, "$1(hidden)");
    throw new ProcessError(`wg syncconf ${name} exited with ${code ?? "a signal"}: ${message}`);
  }

  return {
    exists,
    create: async (name, change) => {
      await create(name, await upLines(name, change), change.mtu ?? undefined);
      await writeInterfaceSettings(name).catch(async (error: unknown) => {
        await remove(name).catch(() => {});
        throw error;
      });
    },
    createDown: (name) => create(name, []),
    remove,
    configure: async (name, config) => {
      const path = join(folder, `${configPrefix}${randomUUID()}`);
      try {
        await writeFile(path, config, { mode: 0o600, flag: "wx" });
        await synchronize(name, path);
      } finally {
        await rm(path, { force: true });
      }
    },
    changeLink: async (name, change) => {
      await enableIpv6(name, change);
      await batch(linkLines(name, change));
    },
    up: async (name, change) => {
      await enableIpv6(name, change);
      await batch(await upLines(name, change));
      await writeInterfaceSettings(name);
    },
    changeSettings: writeInterfaceSettings,
    releasePort: async (name) => {
      await runOk(run, "wg", ["set", name, "listen-port", "0"]);
    },
    removePeer: async (name, publicKey) => {
      await runOk(run, "wg", ["set", name, "peer", publicKey, "remove"]);
    },
  };
}

async function enableIpv6(name: string, { add }: LinkChange): Promise<void> {
  if (add.some((address) => address.includes(":")) && (await isIpv6Disabled(name)))
    await writeInterfaceSetting("ipv6", name, "disable_ipv6", "0");
}

/** Returns lines for `ip -batch` that set an interface up and change it. */
async function upLines(name: string, change: LinkChange): Promise<readonly string[]> {
  return [
    // Below 1280, the interface has no IPv6.
    ...linkLines(name, { ...change, remove: [], add: [] }),
    // Disables addresses that the kernel generates: BIRD would use a generated link-local address as its
    // source.
    ...((await hasKernelIpv6()) ? [`link set dev ${name} addrgenmode none`] : []),
    `link set dev ${name} up`,
    // The kernel adds no route to an IPv6 peer while the interface is down.
    ...linkLines(name, { ...change, mtu: null }),
  ];
}

function mtuLine(name: string, mtu: number): string {
  return `link set dev ${name} mtu ${mtu}`;
}

/** Returns lines for `ip -batch`. */
function linkLines(name: string, { mtu, remove, add }: LinkChange): readonly string[] {
  return [
    ...(mtu === null ? [] : [mtuLine(name, mtu)]),
    ...remove.map((address) => `address del ${address} dev ${name}`),
    // A tunnel has no other hosts, and BIRD cannot use an address during duplicate address detection.
    ...add.map((address) => `address add ${address} dev ${name}${address.includes(":") ? " nodad" : ""}`),
  ];
}

/**
 * Waits until wireguard-go serves its new interface.
 *
 * @throws {ProcessError} if it ends, or does not respond within 5 s
 */
async function waitForStart(name: string, sleep: Sleep): Promise<void> {
  for (let tries = 1; !(await reaches(name, "data")); tries += 1) {
    if (!(await exists(name))) {
      throw new ProcessError(
        `wireguard-go ended right after its start of ${name}. That happens when no inotify instance is left: raise ` +
          "fs.inotify.max_user_instances.",
      );
    }
    if (tries === userspaceTries)
      throw new ProcessError(`wireguard-go does not respond on ${socketOf(name)}`);
    await sleep(userspacePauseMs);
  }
}

/** Waits until wireguard-go has closed the socket of that interface. */
async function waitForExit(name: string, sleep: Sleep): Promise<void> {
  for (let tries = 1; await reaches(name, "connect"); tries += 1) {
    if (tries === userspaceTries) throw new ProcessError(`wireguard-go has not exited on ${socketOf(name)}`);
    await sleep(userspacePauseMs);
  }
}

/**
 * Whether wireguard-go accepts a connection, or also responds (`data`). A connection alone does not prove that it is
 * ready, and one that hangs still accepts connections.
 *
 * @throws {ProcessError} if it accepts the connection and does not respond
 */
function reaches(name: string, event: "connect" | "data"): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketOf(name));
    const finish = (isReached: boolean) => {
      socket.destroy();
      resolve(isReached);
    };
    if (event === "data") socket.once("connect", () => socket.write("get=1\n\n"));
    socket.once(event, () => finish(true)).once("error", () => finish(false));
    socket.once("close", () => finish(false));
    socket.setTimeout(userspaceTries * userspacePauseMs, () => {
      reject(new ProcessError(`wireguard-go does not respond on ${socketOf(name)}`));
      socket.destroy();
    });
  });
}

function socketOf(name: string): string {
  return join(userspaceFolder, `${name}.sock`);
}

async function exists(name: string): Promise<boolean> {
  const devices = await readFile("/proc/net/dev", "utf8");
  return devices.split("\n").some((line) => line.trimStart().startsWith(`${name}:`));
}
