/** Makes the tunnels of a host stubs: TUN devices, and one process that responds for their WireGuard. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LabHost } from "#lab/hosts/namespaces.ts";

const script = (fifo: string) => `#!/bin/sh
ip tuntap add dev "$1" mode tun || exit 1
echo "$1" > ${fifo}
until [ -S "/run/wireguard/$1.sock" ]; do sleep 0.005; done
`;

export async function replaceWireguard(host: LabHost): Promise<void> {
  const [fifo, stub] = [join(host.folder, "new"), join(host.folder, "stub")];
  await writeFile(stub, script(fifo), { mode: 0o755 });
  await host.run("mkfifo", fifo);
  const daemon = host.start(
    process.execPath,
    join(import.meta.dirname, "wireguard-stubs.ts"),
    fifo,
    "/run/wireguard",
  );
  if (daemon.stdout) await once(daemon.stdout, "data");
  await host.run("mount", "--bind", stub, "/usr/bin/wireguard-go");
}
