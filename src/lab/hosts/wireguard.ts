/** Creates WireGuard keys and interfaces in a host. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LabHost, runCommands } from "./namespaces.ts";

export interface WireguardKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Creates a key pair and stores the private key in `wireguard.key` of the host's folder. */
export async function makeKeys(host: Pick<LabHost, "run" | "folder">): Promise<WireguardKeys> {
  const file = join(host.folder, "wireguard.key");
  const publicKey = await runCommands(host, ["umask 077", `wg genkey > ${file}`, `wg pubkey < ${file}`]);
  return { privateKey: (await readFile(file, "utf8")).trim(), publicKey: publicKey.trim() };
}

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
  await runCommands(host, [
    `ip link add ${name} type wireguard 2>/dev/null || wireguard-go ${name} 2>/dev/null`,
    // Disables the generated address, which BGP sessions would use as their source.
    `ip link set ${name} addrgenmode none`,
    // The socket of wireguard-go appears before it accepts connections.
    `for try in $(seq 400); do wg setconf ${name} ${file} 2>/dev/null && exit; sleep 0.025; done`,
    `wg setconf ${name} ${file}`,
  ]);
}
