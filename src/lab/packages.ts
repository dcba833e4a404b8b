import { globSync } from "node:fs";
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

export function assertPackages(): void {
  const missing = missingOf(labPackages);
  if (missing.length === 0) return;
  throw new LabError(
    `The lab needs ${missing.join(" and ")}. Install with:\n\n    ${installLine(missing)}\n`,
  );
}
