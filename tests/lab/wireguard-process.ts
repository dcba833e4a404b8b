import { readdir, readFile, readlink } from "node:fs/promises";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";

/** Sends a signal to the wireguard-go process of a tunnel; false if there is none, because the kernel has WireGuard. */
export async function signalWireguard(host: LabHost, asn: string, signal: NodeJS.Signals): Promise<boolean> {
  const namespace = (await host.run("readlink", "/proc/self/ns/net")).trim();
  for (const pid of await readdir("/proc")) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command !== `wireguard-go\0${interfaceName(asn)}\0`) continue;
    if ((await readlink(`/proc/${pid}/ns/net`).catch(() => "")) !== namespace) continue;
    process.kill(Number(pid), signal);
    return true;
  }
  return false;
}
