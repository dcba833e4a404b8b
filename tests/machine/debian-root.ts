/** The files of a Debian machine with what a router needs. They are made once, and kept for later runs. */
import { createHash } from "node:crypto";
import { openCachedFolder } from "../support/cached-folder.ts";
import { runAsRoot } from "../support/root-command.ts";

const release = "bookworm";
/** What the agent's package needs, a boot, and what an owner of a router has installed. */
const packages = [
  "bird2",
  "ca-certificates",
  "dbus",
  "fping",
  "iproute2",
  "iputils-ping",
  "libatomic1",
  "libstdc++6",
  "netbase",
  "nftables",
  "procps",
  "systemd",
  "systemd-sysv",
  "wireguard-go",
  "wireguard-tools",
];

/** Returns the folder, which nothing may change. Creating it takes a minute or two, and needs Debian's mirror. */
export function openDebianRoot(): Promise<string> {
  const key = createHash("sha256")
    .update([release, ...packages].join("\n"))
    .digest("hex")
    .slice(0, 12);
  return openCachedFolder(`debian-${key}`, async (temporary) => {
    await runAsRoot(
      "debootstrap",
      "--variant=minbase",
      `--include=${packages.join(",")}`,
      release,
      temporary,
    );
  });
}
