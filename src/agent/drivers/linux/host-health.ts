import { readdir, readFile } from "node:fs/promises";
import { loadavg, uptime } from "node:os";
import { join } from "node:path";
import type { NodeHealth } from "../../../contract/agent.ts";
import { type BirdControl, BirdUnavailable } from "../bird/control-socket.ts";

/** Settings of the kernel without which routes are learned and packets dropped, with what goes wrong. */
const settings = [
  ["net/ipv4/conf/all/rp_filter", "0", "drops packets that come in by another tunnel than answers leave by"],
  ["net/ipv4/ip_forward", "1", "forwards no IPv4"],
  ["net/ipv6/conf/all/forwarding", "1", "forwards no IPv6"],
] as const;

/** Where the kernel's settings and wireguard-go's sockets are. */
export interface HostFiles {
  readonly settings: string;
  readonly sockets: string;
}

const hostFiles: HostFiles = { settings: "/proc/sys", sockets: "/run/wireguard" };
const inotifyLimit = "fs/inotify/max_user_instances";
/** From so few further tunnels on it is said, so that there is time to act. */
const littleRoom = 16;

/** Uptime, load, and what is wrong with the machine as a router. */
export async function hostHealth(
  bird: BirdControl,
  files: HostFiles = hostFiles,
): Promise<Omit<NodeHealth, "status">> {
  const [first = 0, second = 0, third = 0] = loadavg();
  const issues = await Promise.all([
    birdIssue(bird),
    ...settings.map((setting) => settingIssue(setting, files)),
    inotifyIssue(files),
  ]);
  return {
    uptimeSeconds: Math.floor(uptime()),
    load: [first, second, third],
    issues: issues.flatMap((issue) => issue ?? []),
  };
}

async function birdIssue(bird: BirdControl): Promise<string | null> {
  try {
    await bird("show status", { timeLimitMs: 3000 });
    return null;
  } catch (error) {
    if (!(error instanceof BirdUnavailable)) throw error;
    return "BIRD does not answer on its control socket. Check that it runs: systemctl status bird";
  }
}

async function settingIssue(
  [path, wanted, harm]: (typeof settings)[number],
  files: HostFiles,
): Promise<string | null> {
  const value = (await readFile(join(files.settings, path), "utf8").catch(() => wanted)).trim();
  if (value === wanted) return null;
  return `The kernel ${harm}: ${path.replaceAll("/", ".")} is ${value}. Set it to ${wanted} in /etc/sysctl.d.`;
}

/** wireguard-go takes one inotify instance for each tunnel, and the kernel allows a user so many. */
async function inotifyIssue(files: HostFiles): Promise<string | null> {
  const names = await readdir(files.sockets).catch(() => []);
  const used = names.filter((name) => name.endsWith(".sock")).length;
  if (used === 0) return null;
  const limit = Number(await readFile(join(files.settings, inotifyLimit), "utf8").catch(() => Infinity));
  const room = Math.max(0, limit - used);
  if (room > littleRoom) return null;
  return (
    `There is room for ${room} more ${room === 1 ? "tunnel" : "tunnels"}: wireguard-go takes an inotify instance ` +
    `for each, and ${used} of ${limit} are in use. Set ${inotifyLimit.replaceAll("/", ".")} to ${limit * 8} in ` +
    "/etc/sysctl.d."
  );
}
