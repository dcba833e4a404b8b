import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rootCommandPrefix } from "../../support/root-command.ts";

const setting = "fs.inotify.max_user_instances";
/** What the agent's package sets on a node (`src/agent/package/usr/lib/sysctl.d`). */
const needed = 1024;

/**
 * Raises the number of inotify instances until the next boot, if that needs no password. Each wireguard-go has one, and the
 * steps with tunnels and the one that boots a machine run at the same time: with the usual 128 a tunnel may not start.
 */
export function raiseInotifyLimit(): string {
  const current = Number(readFileSync(`/proc/sys/${setting.replaceAll(".", "/")}`, "utf8"));
  if (current >= needed) return `${setting} is ${current}`;
  const [command, ...args] = [...(rootCommandPrefix() ?? []), "sysctl", "--write", `${setting}=${needed}`];
  const { status } = spawnSync(command ?? "", args, { stdio: "ignore" });
  return status === 0
    ? `${setting} was ${current} and is ${needed} until the next boot`
    : `${setting} is ${current} and cannot be raised; with less than ${needed}, tests of tunnels may fail`;
}
