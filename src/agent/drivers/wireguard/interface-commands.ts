/** One tunnel's interface, by `ip` and `wg`. Each call is one or a few commands; none looks at other interfaces. */
import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeSynced } from "../../durable-file.ts";
import { ProcessFailed, type Run, runOk } from "../../processes.ts";

export interface InterfaceCommands {
  /** Creates it in the kernel, or with wireguard-go where the kernel has no WireGuard. */
  readonly create: (name: string) => Promise<void>;
  /** Resolves where it is gone already. */
  readonly remove: (name: string) => Promise<void>;
  /** Gives it a configuration; a peer whose key and endpoint stay keeps its handshake. */
  readonly configure: (name: string, config: string) => Promise<void>;
  readonly changeAddresses: (
    name: string,
    change: { readonly remove: readonly string[]; readonly add: readonly string[] },
  ) => Promise<void>;
  readonly up: (name: string) => Promise<void>;
  readonly freePort: (name: string) => Promise<void>;
  readonly removePeer: (name: string, publicKey: string) => Promise<void>;
}

/** Its control socket appears before it accepts. */
const userspaceTries = 20;
const userspacePauseMs = 25;

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
  return {
    create: async (name) => {
      const { code, stderr } = await run("ip", ["link", "add", "dev", name, "type", "wireguard"]);
      if (code !== 0) {
        if (!/Unknown device type|not supported/i.test(stderr)) throw new ProcessFailed(stderr.trim());
        await runOk(run, "wireguard-go", [name]);
        await untilAnswers(run, name, sleep);
      }
    },
    remove: async (name) => {
      const { code, stderr } = await run("ip", ["link", "delete", "dev", name]);
      if (code !== 0 && !/Cannot find device/.test(stderr)) throw new ProcessFailed(stderr.trim());
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
    changeAddresses: async (name, { remove, add }) => {
      await batch([
        ...remove.map((address) => `address del ${address} dev ${name}`),
        // There is nobody else on a tunnel, and BIRD cannot speak from an address that is still being tried.
        ...add.map((address) => `address add ${address} dev ${name}${address.includes(":") ? " nodad" : ""}`),
      ]);
    },
    up: async (name) => {
      // First without addresses of the kernel's own, or it makes a link-local one that BIRD would speak from.
      await batch([`link set dev ${name} addrgenmode none`, `link set dev ${name} up`]);
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

async function untilAnswers(run: Run, name: string, sleep: (ms: number) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { code, stderr } = await run("wg", ["show", name, "listen-port"]);
    if (code === 0) return;
    if (tries === userspaceTries)
      throw new ProcessFailed(`wireguard-go does not answer for ${name}: ${stderr.trim()}`);
    await sleep(userspacePauseMs);
  }
}
