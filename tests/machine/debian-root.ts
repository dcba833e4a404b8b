/** The files of a Debian machine with what a router needs. They are made once, and kept for later runs. */
import { createHash, randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { runAsRoot } from "../support/root-command.ts";

const release = "bookworm";
/** What the agent's package needs, a boot, and what an owner of a router has installed. */
const packages = [
  "bird2",
  "ca-certificates",
  "dbus",
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
const cache = "/var/cache/peerdeck-tests";

/** Returns the folder, which nothing may change. Creating it takes a minute or two, and needs Debian's mirror. */
export async function openDebianRoot(): Promise<string> {
  const key = createHash("sha256")
    .update([release, ...packages].join("\n"))
    .digest("hex")
    .slice(0, 12);
  const folder = join(cache, `debian-${key}`);
  if (await exists(folder)) return folder;
  const temporary = `${folder}.${randomUUID()}`;
  await runAsRoot("mkdir", "-p", cache);
  try {
    await runAsRoot(
      "debootstrap",
      "--variant=minbase",
      `--include=${packages.join(",")}`,
      release,
      temporary,
    ).catch((error: unknown) => {
      throw describeFailure(error);
    });
    // Another run may have been faster.
    await runAsRoot("mv", "-T", temporary, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await runAsRoot("rm", "-rf", temporary);
  }
  return folder;
}

/** Returns an error that says in one sentence why there is no root. debootstrap writes its reason to both outputs. */
export function describeFailure(error: unknown): Error {
  const {
    code,
    stdout = "",
    stderr = "",
  } = error as NodeJS.ErrnoException & {
    readonly stdout?: string;
    readonly stderr?: string;
  };
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  const reason = lines.findLast((line) => /^[EW]: /.test(line)) ?? lines.findLast((line) => line !== "");
  const sentence =
    code === "ENOENT"
      ? "The tests of docs/nodes.md need debootstrap, which is not installed."
      : `debootstrap could not make the root of a Debian machine: ${(reason ?? String(code)).replace(/^[EW]: /, "")}.`;
  return new Error(sentence);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
