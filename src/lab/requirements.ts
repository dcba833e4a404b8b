/** What a machine has to have for the lab to run on it. */
import { closeSync, globSync, openSync } from "node:fs";
import { LabError } from "./network.ts";

export interface SystemPackage {
  /** Its name in Debian. */
  readonly name: string;
  /** A file that proves it is installed; a glob pattern where the path differs between versions. */
  readonly proof: string;
}

/** What the lab's hosts run. */
export const labPackages: readonly SystemPackage[] = [
  { name: "bird2", proof: "/usr/sbin/bird" },
  { name: "frr", proof: "/usr/lib/frr/bgpd" },
  { name: "iproute2", proof: "/{,usr/}{,s}bin/ip" },
  { name: "iputils-ping", proof: "/{,usr/}bin/ping" },
  { name: "procps", proof: "/{,usr/}sbin/sysctl" },
  { name: "util-linux", proof: "/usr/bin/nsenter" },
  { name: "wireguard-go", proof: "/usr/bin/wireguard-go" },
  { name: "wireguard-tools", proof: "/usr/bin/wg-quick" },
];

export function missingOf(packages: readonly SystemPackage[]): readonly string[] {
  return packages.filter(({ proof }) => globSync(proof).length === 0).map(({ name }) => name);
}

/** The line that installs packages. */
export function installLine(names: readonly string[]): string {
  return `sudo apt-get update && sudo apt-get install --yes ${names.join(" ")}`;
}

/** Throws a LabError with what to do about it where the lab cannot run on this machine. */
export function assertRequirements(): void {
  const missing = missingOf(labPackages);
  if (missing.length > 0) {
    throw new LabError(
      `The lab needs ${missing.join(" and ")}. Install with:\n\n    ${installLine(missing)}\n`,
    );
  }
  assertTunnels();
}

/** wireguard-go gets its interfaces from this device, which the hosts share with the machine. */
function assertTunnels(): void {
  try {
    closeSync(openSync("/dev/net/tun", "r+"));
  } catch (error) {
    const isClosed = ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw new LabError(
      isClosed
        ? "The lab's tunnels need /dev/net/tun, which you may not open. Open it to everybody, as Debian does, with:\n\n    sudo chmod a+rw /dev/net/tun\n"
        : "The lab's tunnels need /dev/net/tun, and it is not there. Load the kernel's module with:\n\n    sudo modprobe tun\n",
    );
  }
}
