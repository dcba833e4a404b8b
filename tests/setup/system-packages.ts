import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

export interface SystemPackage {
  /** Its name in Debian. */
  readonly name: string;
  /** A file that proves it is installed; a glob pattern where the path holds a version. */
  readonly proof: string;
}

/** What the tests need from the system besides Node. */
const needed: readonly SystemPackage[] = [
  { name: "bird2", proof: "/usr/sbin/bird" },
  { name: "chromium", proof: "/usr/bin/chromium" },
  // Text without a font has no width, and a browser draws none.
  { name: "fonts-dejavu-core", proof: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" },
  { name: "iproute2", proof: "/{,usr/}{,s}bin/ip" },
  { name: "iputils-ping", proof: "/{,usr/}bin/ping" },
  { name: "postgresql", proof: "/usr/lib/postgresql/*/bin/initdb" },
  { name: "wireguard-go", proof: "/usr/bin/wireguard-go" },
  { name: "wireguard-tools", proof: "/usr/bin/wg" },
];

function missingPackages(): readonly string[] {
  return needed.filter(({ proof }) => globSync(proof).length === 0).map(({ name }) => name);
}

/**
 * Installs what is missing where that needs no password: as root or with `sudo -n`, on Debian and its kin.
 * Elsewhere throws with the line that installs it.
 */
export function installMissingPackages(): string {
  const missing = missingPackages();
  if (missing.length === 0) return "nothing missing";
  const byHand = `sudo apt-get update && sudo apt-get install --yes ${missing.join(" ")}`;
  const prefix = privilege();
  if (!existsSync("/usr/bin/apt-get") || prefix === null) {
    throw new Error(`The tests need ${missing.join(" and ")}. Install with:\n\n    ${byHand}\n`);
  }
  const apt = (...args: readonly string[]) => {
    const [command = "", ...rest] = [
      ...prefix,
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      "apt-get",
      "--yes",
      ...args,
    ];
    execFileSync(command, rest, { stdio: ["ignore", "inherit", "inherit"] });
  };
  apt("update");
  apt("install", "--no-install-recommends", ...missing);
  const stillMissing = missingPackages();
  if (stillMissing.length > 0) {
    throw new Error(
      `apt-get installed ${missing.join(" and ")}, and ${stillMissing.join(" and ")} cannot be found.`,
    );
  }
  return `installed ${missing.join(" and ")}`;
}

/** What goes before a command that needs root; null where nothing does without a password. */
function privilege(): readonly string[] | null {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync("sudo", ["-n", "true"], { stdio: "ignore" });
  return sudo.status === 0 ? ["sudo", "-n"] : null;
}
