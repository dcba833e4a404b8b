/** What the kernel's settings of this network namespace say about IPv6. The agent reports them and changes none. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "#domain/findings/findings.ts";
import type { RoutedPeering } from "../routed-peering.ts";

const kernelSettings = "/proc/sys";
const folder = "net/ipv6/conf";
/** Whose interfaces a setting is for. A write to `all` is also one to `default` and to every interface. */
type Scope = "all" | "default" | "lo";

/** Whether the kernel has IPv6 at all. */
export function hasKernelIpv6(settings = kernelSettings): Promise<boolean> {
  return stat(join(settings, folder)).then(
    () => true,
    () => false,
  );
}

/**
 * Returns which tunnels can have IPv6 addresses. The agent may enable IPv6 on its own interfaces, and does so if new interfaces
 * have it. Where they do not, an interface that has it keeps it.
 */
export async function readIpv6Support(
  settings = kernelSettings,
): Promise<(name: string) => Promise<boolean>> {
  if (!(await hasKernelIpv6(settings))) return async () => false;
  if (!(await isDisabled("default", settings))) return async () => true;
  return async (name) => (await readSetting(name, settings)) === "0";
}

/** Whether IPv6 is disabled on this interface. A tunnel that was created while new interfaces had none keeps that setting. */
export async function isIpv6Disabled(name: string): Promise<boolean> {
  return (await readSetting(name, kernelSettings)) === "1";
}

/**
 * Finds why a node cannot use IPv6, if it needs it.
 *
 * @param hasAddresses whether it has IPv6 addresses of its own on the loopback interface
 */
export async function findDisabledIpv6(
  hasAddresses: boolean,
  tunnels: Iterable<RoutedPeering>,
  settings = kernelSettings,
): Promise<readonly Finding[]> {
  const hasTunnels = Array.from(tunnels).some(({ peering }) => peering.localIpv6 !== null);
  if (!hasAddresses && !hasTunnels) return [];
  if (!(await hasKernelIpv6(settings))) return [{ code: "kernel-without-ipv6", facts: {} }];
  const scopes: Scope[] = ["default"];
  if (hasAddresses) scopes.push("lo");
  const [all, ...disabled] = await Promise.all(
    (["all", ...scopes] as const).map(async (scope) => ((await isDisabled(scope, settings)) ? scope : null)),
  );
  const found = disabled.filter((scope) => scope !== null);
  return [...(all && found.length > 0 ? [all] : []), ...found].map((scope) => ({
    code: "kernel-setting",
    facts: { name: `net.ipv6.conf.${scope}.disable_ipv6`, value: "1", expected: "0" },
  }));
}

async function isDisabled(scope: Scope, settings: string): Promise<boolean> {
  return ((await readSetting(scope, settings)) ?? "0") !== "0";
}

/** Null for an interface that does not exist, or that has no IPv6 because its MTU is below 1280. */
async function readSetting(name: string, settings: string): Promise<string | null> {
  const text = await readFile(join(settings, folder, name, "disable_ipv6"), "utf8").catch(() => null);
  return text?.trim() ?? null;
}
