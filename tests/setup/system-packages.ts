import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installLine, labPackages, missingOf, type SystemPackage } from "../../src/lab/requirements.ts";

/** What the tests need from the system besides Node. */
const needed: readonly SystemPackage[] = [
  ...labPackages,
  { name: "chromium", proof: "/usr/bin/chromium" },
  // Text without a font has no width, and a browser draws none.
  { name: "fonts-dejavu-core", proof: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" },
  { name: "postgresql", proof: "/usr/lib/postgresql/*/bin/initdb" },
  { name: "systemd", proof: "/{,usr/}bin/systemd-analyze" },
];

/**
 * Installs what is missing where that needs no password: as root or with `sudo -n`, on Debian and its kin.
 * Elsewhere throws with the line that installs it.
 */
export function installMissingPackages(): string {
  const missing = missingOf(needed);
  if (missing.length === 0) return "nothing missing";
  const prefix = privilege();
  if (!existsSync("/usr/bin/apt-get") || prefix === null) {
    throw new Error(
      `The tests need ${missing.join(" and ")}. Install with:\n\n    ${installLine(missing)}\n`,
    );
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
  const stillMissing = missingOf(needed);
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
