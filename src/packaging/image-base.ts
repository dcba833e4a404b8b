/** The lowest layer of the image: Debian without apt, and what the server starts. */
import { runOk, runProcess } from "../system/processes.ts";

const release = "trixie";
const packages = [
  "ca-certificates",
  "git",
  // Node.js needs these two.
  "libatomic1",
  "libstdc++6",
  "openssh-client",
  // Backups of a PostgreSQL database.
  "postgresql-client",
] as const;

/** The release of Debian 13. Newer files get this time, so that the same packages give the same bytes. */
const releaseSeconds = Date.UTC(2025, 7, 9) / 1000;

/** A numeric user, so that an engine can see that it is not root. ssh refuses a user without a name. */
export const user = { id: 10001, home: "/var/lib/peerdeck" } as const;

/** Commands that change the new root, which is `$1`. */
const hooks = [
  `echo "peerdeck:x:${user.id}:${user.id}::${user.home}:/usr/sbin/nologin" >> "$1/etc/passwd"`,
  `echo "peerdeck:x:${user.id}:" >> "$1/etc/group"`,
  // A new volume gets the owner of its folder.
  `install --directory --mode=700 --owner=${user.id} --group=${user.id} "$1${user.home}"`,
  `install --directory "$1/etc/peerdeck-server"`,
  'find "$1" -xdev -type f -perm /6000 -exec chmod a-s {} +',
];
const leftOut = ["/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*", "/usr/share/doc/*"];

/** Whether layers can be written here. */
export function hasMmdebstrap(): Promise<boolean> {
  return runProcess("mmdebstrap", ["--version"]).then(
    () => true,
    () => false,
  );
}

/**
 * Writes the layer as a tar archive, for this machine's architecture. Its packages are those that Debian has now, with all security
 * updates. Takes a minute, and needs Debian's mirror and root, or the package `uidmap`.
 */
export async function writeBase(target: string): Promise<void> {
  const dpkg = [...leftOut.map((path) => `path-exclude=${path}`), "path-include=/usr/share/doc/*/copyright"];
  await runOk(
    runProcess,
    "mmdebstrap",
    [
      "--variant=essential",
      `--include=${packages.join(",")}`,
      ...dpkg.map((option) => `--dpkgopt=${option}`),
      ...hooks.map((hook) => `--customize-hook=${hook}`),
      // An engine makes the devices.
      "--skip=output/dev",
      release,
      target,
    ],
    {
      timeoutMs: 600_000,
      environment: { ...process.env, LC_ALL: "C", SOURCE_DATE_EPOCH: String(releaseSeconds) },
    },
  );
}
