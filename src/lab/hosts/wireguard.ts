/** Creates WireGuard keys and interfaces in a host. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LabHost } from "./namespaces.ts";

export interface WireguardKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Creates a key pair and stores the private key in `wireguard.key` of the host's folder. */
export async function makeKeys(host: Pick<LabHost, "run" | "folder">): Promise<WireguardKeys> {
  const privateKey = (await host.run("wg", "genkey")).trim();
  const file = join(host.folder, "wireguard.key");
  await writeFile(file, `${privateKey}\n`, { mode: 0o600 });
  const publicKey = (await host.run("sh", "-c", `wg pubkey < ${file}`)).trim();
  return { privateKey, publicKey };
}

const socketTries = 400;
const socketPauseMs = 25;

/**
 * Creates and configures an interface, in the kernel if it has WireGuard. The interface is down and has no
 * address.
 */
export async function createInterface(
  host: Pick<LabHost, "run" | "folder">,
  name: string,
  config: readonly string[],
): Promise<void> {
  const file = join(host.folder, `${name}.conf`);
  await writeFile(file, `${config.join("\n")}\n`, { mode: 0o600 });
  const create = `ip link add ${name} type wireguard 2>/dev/null || wireguard-go ${name} 2>/dev/null`;
  await host.run("sh", "-c", create);
  // Disables the generated address, which BGP sessions would use as their source.
  await host.run("ip", "link", "set", name, "addrgenmode", "none");
  // The socket of wireguard-go appears before it accepts connections.
  for (let tries = 1; ; tries += 1) {
    try {
      await host.run("wg", "setconf", name, file);
      return;
    } catch (error) {
      if (tries === socketTries) throw error;
      await pause(socketPauseMs);
    }
  }
}
