/** The requirements of the lab. */
import { closeSync, globSync, openSync } from "node:fs";
import { LabError } from "./network.ts";

export interface SystemPackage {
  /** The name in Debian of the package to install; another one with the same file does as well. */
  readonly name: string;
  /** A file that exists if the package is installed; a glob pattern if the path differs between versions. */
  readonly installedPath: string;
}

/** The packages that the lab's hosts use. */
export const labPackages: readonly SystemPackage[] = [
  { name: "bird2", installedPath: "/usr/sbin/bird" },
  { name: "fping", installedPath: "/usr/bin/fping" },
  { name: "frr", installedPath: "/usr/lib/frr/bgpd" },
  { name: "iproute2", installedPath: "/{,usr/}{,s}bin/ip" },
  { name: "iputils-ping", installedPath: "/{,usr/}bin/ping" },
  { name: "nftables", installedPath: "/{,usr/}sbin/nft" },
  { name: "procps", installedPath: "/{,usr/}sbin/sysctl" },
  { name: "util-linux", installedPath: "/usr/bin/nsenter" },
  { name: "wireguard-go", installedPath: "/usr/bin/wireguard-go" },
  { name: "wireguard-tools", installedPath: "/usr/bin/wg-quick" },
];

export function findMissing(packages: readonly SystemPackage[]): readonly string[] {
  return packages.filter(({ installedPath }) => globSync(installedPath).length === 0).map(({ name }) => name);
}

/** Returns the shell command that installs packages. */
export function installCommand(names: readonly string[]): string {
  return `sudo apt-get update && sudo apt-get install --yes ${names.join(" ")}`;
}

/** Throws a LabError with instructions if the lab cannot run on this machine. */
export function assertRequirements(): void {
  const missing = findMissing(labPackages);
  if (missing.length > 0) {
    throw new LabError(
      `The lab needs ${missing.join(" and ")}. Install with:\n\n    ${installCommand(missing)}\n`,
    );
  }
  assertTunDevice();
}

/** wireguard-go creates its interfaces with this device, which the hosts share with the machine. */
function assertTunDevice(): void {
  try {
    closeSync(openSync("/dev/net/tun", "r+"));
  } catch (error) {
    const isForbidden = ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw new LabError(
      isForbidden
        ? "The lab's tunnels need /dev/net/tun, which you cannot open. Make it accessible to all users, like Debian, with:\n\n    sudo chmod a+rw /dev/net/tun\n"
        : "The lab's tunnels need /dev/net/tun, which does not exist. Load the kernel module with:\n\n    sudo modprobe tun\n",
    );
  }
}
