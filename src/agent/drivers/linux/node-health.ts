import { readdir, readFile } from "node:fs/promises";
import { loadavg, uptime } from "node:os";
import { join } from "node:path";
import type { Finding } from "#domain/findings/findings.ts";
import { assertNoBirdError, type BirdControl, BirdUnavailableError } from "../bird/control-socket.ts";
import type { RouterHealth } from "../router.ts";

/** What setup says before an agent runs. Then the driver judges the settings of each interface (`forwarding`). */
const machineSettings: readonly Setting[] = [
  ["net/ipv4/conf/all/rp_filter", "0"],
  ["net/ipv4/ip_forward", "1"],
  ["net/ipv6/conf/all/forwarding", "1"],
];

type Setting = readonly [path: string, expected: string, alsoRight?: string];

/** The provider's own tunnels have it when they are created. A loose filter (2) lets participants' packets pass. */
const defaultFilter: Setting = ["net/ipv4/conf/default/rp_filter", "0", "2"];

/** The folders of the kernel's settings and of wireguard-go's sockets. */
export interface HostPaths {
  readonly settings: string;
  readonly sockets: string;
}

export const hostPaths: HostPaths = { settings: "/proc/sys", sockets: "/run/wireguard" };
const inotifyLimit = "fs/inotify/max_user_instances";
/** The finding is reported when at most this many more tunnels are possible, so that there is time to act. */
const warnBelow = 16;

/**
 * Reads uptime, load, and what is wrong with the machine as a router.
 *
 * @param ownInterfaces the provider's own, through which participants' packets pass
 */
export async function readNodeHealth(
  bird: BirdControl,
  files: HostPaths = hostPaths,
  ownInterfaces: readonly string[] = [],
): Promise<RouterHealth> {
  const [first = 0, second = 0, third = 0] = loadavg();
  const found = await Promise.all([
    checkBird(bird),
    ownInterfaces.length === 0 ? null : checkSetting(defaultFilter, files),
    checkInotify(files),
  ]);
  return {
    uptimeSeconds: Math.floor(uptime()),
    load: [first, second, third],
    findings: found.filter((finding) => finding !== null),
  };
}

/** Finds settings of the whole machine that keep packets from being forwarded. */
export async function findMachineSettings(files: HostPaths = hostPaths): Promise<readonly Finding[]> {
  const found = await Promise.all(machineSettings.map((setting) => checkSetting(setting, files)));
  return found.filter((finding) => finding !== null);
}

async function checkBird(bird: BirdControl): Promise<Finding | null> {
  try {
    assertNoBirdError(await bird("show status", { timeoutMs: 3000 }));
    return null;
  } catch (error) {
    if (!(error instanceof BirdUnavailableError)) throw error;
    return { code: "bird-unavailable", facts: {} };
  }
}

async function checkSetting(
  [path, expected, alsoRight = expected]: Setting,
  files: HostPaths,
): Promise<Finding | null> {
  const value = (await readFile(join(files.settings, path), "utf8").catch(() => expected)).trim();
  if (value === expected || value === alsoRight) return null;
  return { code: "kernel-setting", facts: { name: path.replaceAll("/", "."), value, expected } };
}

/** wireguard-go needs an inotify instance for each tunnel, and the kernel limits them per user. */
async function checkInotify(files: HostPaths): Promise<Finding | null> {
  const names = await readdir(files.sockets).catch(() => []);
  const used = names.filter((name) => name.endsWith(".sock")).length;
  if (used === 0) return null;
  const limit = Number(await readFile(join(files.settings, inotifyLimit), "utf8").catch(() => Infinity));
  const remaining = Math.max(0, limit - used);
  // Not a number if the limit cannot be read.
  if (!(remaining <= warnBelow)) return null;
  return { code: "inotify-instances-low", facts: { remaining, used, limit } };
}
