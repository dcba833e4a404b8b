import { readFile } from "node:fs/promises";
import { loadavg, uptime } from "node:os";
import type { NodeHealth } from "../../../contract/agent.ts";
import { type BirdControl, BirdUnavailable } from "../bird/control-socket.ts";

/** Settings of the kernel without which routes are learned and packets dropped, with what goes wrong. */
const settings = [
  ["net/ipv4/conf/all/rp_filter", "0", "drops packets that come in by another tunnel than answers leave by"],
  ["net/ipv4/ip_forward", "1", "forwards no IPv4"],
  ["net/ipv6/conf/all/forwarding", "1", "forwards no IPv6"],
] as const;

/** Uptime, load, and what is wrong with the machine as a router. */
export async function hostHealth(bird: BirdControl): Promise<Omit<NodeHealth, "status">> {
  const [first = 0, second = 0, third = 0] = loadavg();
  const issues = await Promise.all([birdIssue(bird), ...settings.map(settingIssue)]);
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

async function settingIssue([path, wanted, harm]: (typeof settings)[number]): Promise<string | null> {
  const value = (await readFile(`/proc/sys/${path}`, "utf8").catch(() => wanted)).trim();
  if (value === wanted) return null;
  return `The kernel ${harm}: ${path.replaceAll("/", ".")} is ${value}. Set it to ${wanted} in /etc/sysctl.d.`;
}
