import { readdir, readFile } from "node:fs/promises";
import { loadavg, uptime } from "node:os";
import { join } from "node:path";
import { assertNoBirdError, type BirdControl, BirdUnavailableError } from "../bird/control-socket.ts";
import type { RouterHealth } from "../router.ts";

/** Kernel settings that cause packet loss when they are wrong, with the effect. */
const settings = [
  [
    "net/ipv4/conf/all/rp_filter",
    "0",
    "drops packets that arrive through another tunnel than the replies use",
  ],
  ["net/ipv4/ip_forward", "1", "does not forward IPv4"],
  ["net/ipv6/conf/all/forwarding", "1", "does not forward IPv6"],
] as const;

/** The folders of the kernel's settings and of wireguard-go's sockets. */
export interface HostPaths {
  readonly settings: string;
  readonly sockets: string;
}

const hostPaths: HostPaths = { settings: "/proc/sys", sockets: "/run/wireguard" };
const inotifyLimit = "fs/inotify/max_user_instances";
/** The issue is reported when at most this many more tunnels are possible, so that there is time to act. */
const warnBelow = 16;

/** Reads uptime, load, and the machine's issues as a router. */
export async function readNodeHealth(bird: BirdControl, files: HostPaths = hostPaths): Promise<RouterHealth> {
  const [first = 0, second = 0, third = 0] = loadavg();
  const [birdProblem, ...others] = await Promise.all([
    birdIssue(bird),
    ...settings.map((setting) => settingIssue(setting, files)),
    inotifyIssue(files),
  ]);
  return {
    uptimeSeconds: Math.floor(uptime()),
    load: [first, second, third],
    issues: [birdProblem, ...others].filter((issue) => issue !== null),
    publicIssues: birdProblem === null ? [] : ["BIRD does not respond on this node."],
  };
}

async function birdIssue(bird: BirdControl): Promise<string | null> {
  try {
    assertNoBirdError(await bird("show status", { timeoutMs: 3000 }));
    return null;
  } catch (error) {
    if (!(error instanceof BirdUnavailableError)) throw error;
    return "BIRD does not respond on its control socket. Check that it is running: systemctl status bird";
  }
}

async function settingIssue(
  [path, expected, effect]: (typeof settings)[number],
  files: HostPaths,
): Promise<string | null> {
  const value = (await readFile(join(files.settings, path), "utf8").catch(() => expected)).trim();
  if (value === expected) return null;
  return `The kernel ${effect}: ${path.replaceAll("/", ".")} is ${value}. Set it to ${expected} in /etc/sysctl.d.`;
}

/** wireguard-go uses one inotify instance per tunnel, and the kernel limits them per user. */
async function inotifyIssue(files: HostPaths): Promise<string | null> {
  const names = await readdir(files.sockets).catch(() => []);
  const used = names.filter((name) => name.endsWith(".sock")).length;
  if (used === 0) return null;
  const limit = Number(await readFile(join(files.settings, inotifyLimit), "utf8").catch(() => Infinity));
  const remaining = Math.max(0, limit - used);
  if (remaining > warnBelow) return null;
  return (
    `Only ${remaining} more ${remaining === 1 ? "tunnel is" : "tunnels are"} possible: wireguard-go uses one inotify instance ` +
    `per tunnel, and ${used} of ${limit} are in use. Set ${inotifyLimit.replaceAll("/", ".")} to ${limit * 8} in ` +
    "/etc/sysctl.d."
  );
}
