/** The files of a Debian machine with what a router or a server needs. They are made once, and kept for later runs. */
import { createHash } from "node:crypto";
import { openCachedFolder } from "../support/cached-folder.ts";
import { runAsRoot } from "../support/root-command.ts";

const release = "bookworm";
/** What a boot needs, the packages of agent and server need, and the guides install. A machine reaches no mirror of Debian. */
const base = [
  "ca-certificates",
  "dbus",
  "iproute2",
  "libatomic1",
  "libstdc++6",
  "procps",
  "systemd",
  "systemd-sysv",
];
const packages = {
  router: ["bird2", "fping", "iputils-ping", "netbase", "nftables", "wireguard-go", "wireguard-tools"],
  server: ["git", "nginx-light", "openssh-client", "openssl"],
} as const;
export type MachineKind = keyof typeof packages;

/** Returns the folder, which nothing may change. Creating it takes a minute or two, and needs Debian's mirror. */
export function openDebianRoot(kind: MachineKind): Promise<string> {
  const included = [...base, ...packages[kind]].toSorted();
  const key = createHash("sha256")
    .update([release, ...included].join("\n"))
    .digest("hex")
    .slice(0, 12);
  return openCachedFolder(`debian-${key}`, async (temporary) => {
    await runAsRoot(
      "debootstrap",
      "--variant=minbase",
      `--include=${included.join(",")}`,
      release,
      temporary,
    );
  });
}
