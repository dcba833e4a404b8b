/** One tunnel's interface, by `ip` and `wg`. Each call is one or a few commands; none looks at other interfaces. */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { writeSynced } from "../../durable-file.ts";
import { ProcessFailed, type Run, runOk } from "../../processes.ts";

export interface AddressChange {
  readonly remove: readonly string[];
  readonly add: readonly string[];
}

export interface InterfaceCommands {
  /** Whether there is an interface of that name, whoever made it. */
  readonly exists: (name: string) => Promise<boolean>;
  /** Creates it in the kernel, or with wireguard-go where the kernel has no WireGuard. */
  readonly create: (name: string) => Promise<void>;
  /** Resolves where it is gone already. */
  readonly remove: (name: string) => Promise<void>;
  /** Gives it a configuration; a peer whose key and endpoint stay keeps its handshake. */
  readonly configure: (name: string, config: string) => Promise<void>;
  readonly changeAddresses: (name: string, change: AddressChange) => Promise<void>;
  /** Sets it up, and then its addresses. */
  readonly up: (name: string, change: AddressChange) => Promise<void>;
  readonly freePort: (name: string) => Promise<void>;
  readonly removePeer: (name: string, publicKey: string) => Promise<void>;
}

/** Where wireguard-go has its control sockets. One appears before it accepts. */
const userspaceFolder = "/var/run/wireguard";
const userspaceTries = 2000;
const userspacePauseMs = 2.5;

/** Of the files that `wg` reads; they hold the node's key. */
const configPrefix = ".syncconf-";

/**
 * Removes what a life that was cut off left in the folder.
 *
 * @param folder where a configuration is written for `wg` to read, for the moment of the call
 */
export async function openInterfaceCommands(
  run: Run,
  folder: string,
  sleep: (ms: number) => Promise<void>,
): Promise<InterfaceCommands> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(configPrefix)) await rm(join(folder, name));
  }
  const batch = (lines: readonly string[]) =>
    lines.length === 0
      ? Promise.resolve("")
      : runOk(run, "ip", ["-batch", "-"], { input: `${lines.join("\n")}\n` });
  /** A kernel that gets it later is asked again by the agent's next life. */
  let kernelHasWireguard = true;

  async function createInKernel(name: string): Promise<boolean> {
    const { code, stderr } = await run("ip", ["link", "add", "dev", name, "type", "wireguard"]);
    if (code === 0) return true;
    if (!/Unknown device type|not supported/i.test(stderr)) throw new ProcessFailed(stderr.trim());
    return false;
  }

  return {
    exists: async (name) => {
      const devices = await readFile("/proc/net/dev", "utf8");
      return devices.split("\n").some((line) => line.trimStart().startsWith(`${name}:`));
    },
    create: async (name) => {
      kernelHasWireguard &&= await createInKernel(name);
      if (kernelHasWireguard) return;
      await runOk(run, "wireguard-go", [name]);
      await untilSocket(name, true, sleep);
    },
    remove: async (name) => {
      const { code, stderr } = await run("ip", ["link", "delete", "dev", name]);
      if (code !== 0 && !/Cannot find device/.test(stderr)) throw new ProcessFailed(stderr.trim());
      // wireguard-go ends a moment after its interface, and until then the next of that name cannot start.
      await untilSocket(name, false, sleep);
    },
    configure: async (name, config) => {
      const path = join(folder, `${configPrefix}${randomUUID()}`);
      try {
        await writeSynced(path, config, 0o600);
        await runOk(run, "wg", ["syncconf", name, path]);
      } finally {
        await rm(path, { force: true });
      }
    },
    changeAddresses: async (name, change) => {
      await batch(addressLines(name, change));
    },
    up: async (name, change) => {
      await batch([
        // First without addresses of the kernel's own, or it makes a link-local one that BIRD would speak from.
        `link set dev ${name} addrgenmode none`,
        `link set dev ${name} up`,
        // The kernel sets no route to an IPv6 peer whose interface is still down.
        ...addressLines(name, change),
      ]);
      // Answers may come in by another tunnel than the one that reaches their sender.
      await writeSetting(`/proc/sys/net/ipv4/conf/${name}/rp_filter`, "0");
      await writeSetting(`/proc/sys/net/ipv4/conf/${name}/forwarding`, "1");
      await writeSetting(`/proc/sys/net/ipv6/conf/${name}/forwarding`, "1");
    },
    freePort: async (name) => {
      await runOk(run, "wg", ["set", name, "listen-port", "0"]);
    },
    removePeer: async (name, publicKey) => {
      await runOk(run, "wg", ["set", name, "peer", publicKey, "remove"]);
    },
  };
}

/** Rejects with `ProcessFailed` as the commands do: without its interface, the file is gone too. */
async function writeSetting(path: string, value: string): Promise<void> {
  await writeFile(path, value).catch((error: unknown) => {
    throw new ProcessFailed(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  });
}

/** For `ip -batch`. */
function addressLines(name: string, { remove, add }: AddressChange): readonly string[] {
  return [
    ...remove.map((address) => `address del ${address} dev ${name}`),
    // There is nobody else on a tunnel, and BIRD cannot speak from an address that is still being tried.
    ...add.map((address) => `address add ${address} dev ${name}${address.includes(":") ? " nodad" : ""}`),
  ];
}

/** Waits until wireguard-go's socket of that interface accepts, or does no longer. */
async function untilSocket(
  name: string,
  accepting: boolean,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  const path = join(userspaceFolder, `${name}.sock`);
  for (let tries = 1; (await accepts(path)) !== accepting; tries += 1) {
    if (tries === userspaceTries) {
      throw new ProcessFailed(`wireguard-go ${accepting ? "does not accept" : "has not ended"} on ${path}`);
    }
    await sleep(userspacePauseMs);
  }
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
