/** The kernel's settings of a tunnel's interface. Programs of the machine change them, too: udev, after an interface was created. */
import { writeFile } from "node:fs/promises";
import { ProcessError } from "#system/processes.ts";
import { hasKernelIpv6 } from "../linux/ipv6-settings.ts";

/** Replies may arrive through another tunnel than the one that leads to their sender. */
const settings = [
  ["ipv4", "rp_filter", "0"],
  ["ipv4", "forwarding", "1"],
  ["ipv6", "forwarding", "1"],
] as const;

/** Rejects with `ProcessError` like a command: without its interface, a file does not exist. */
export async function writeInterfaceSettings(name: string): Promise<void> {
  const hasIpv6 = await hasKernelIpv6();
  for (const [family, setting, value] of settings) {
    if (family === "ipv4" || hasIpv6) await writeInterfaceSetting(family, name, setting, value);
  }
}

export async function writeInterfaceSetting(
  family: "ipv4" | "ipv6",
  name: string,
  setting: string,
  value: string,
): Promise<void> {
  const path = `/proc/sys/net/${family}/conf/${name}/${setting}`;
  await writeFile(path, value).catch((error: unknown) => {
    throw new ProcessError(`Cannot write ${path}: ${(error as Error).message}`, { cause: error });
  });
}

/**
 * Returns the interfaces with another setting, from `ip -json netconf show`. What the output does not have, as on a kernel
 * without IPv6, is not wrong.
 */
export function findWrongSettings(json: string): ReadonlySet<string> {
  const found = JSON.parse(json) as ReadonlyArray<{
    readonly interface?: string;
    readonly forwarding?: boolean;
    readonly rp_filter?: string;
  }>;
  return new Set(
    found.flatMap(({ interface: name = "", forwarding = true, rp_filter: filter = "off" }) =>
      forwarding && filter === "off" ? [] : name,
    ),
  );
}
