import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { installCommand, labPackages, findMissing, type SystemPackage } from "#lab/requirements.ts";
import { pictureFonts } from "../pictures/picture-fonts.ts";
import { rootCommandPrefix } from "../../support/root-command.ts";

/** System packages that the tests need besides Node.js. */
const needed: readonly SystemPackage[] = [
  ...labPackages,
  { name: "chromium", installedPath: "/usr/bin/chromium" },
  { name: "chromium-headless-shell", installedPath: "/usr/bin/chromium-headless-shell" },
  { name: "firefox-esr", installedPath: "/usr/bin/firefox-esr" },
  // WebKitGTK's browser is in one of the packages that this one needs.
  { name: "webkit2gtk-driver", installedPath: "/usr/bin/WebKitWebDriver" },
  { name: "xvfb", installedPath: "/usr/bin/Xvfb" },
  // Without a font, a browser draws no text, and text has no width.
  { name: "fonts-dejavu-core", installedPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" },
  // A benchmark that measures layouts uses them.
  ...pictureFonts,
  { name: "postgresql", installedPath: "/usr/lib/postgresql/*/bin/initdb" },
  { name: "curl", installedPath: "/usr/bin/curl" },
  { name: "jq", installedPath: "/usr/bin/jq" },
  { name: "git", installedPath: "/usr/bin/git" },
  { name: "openssh-client", installedPath: "/usr/bin/ssh-keygen" },
  { name: "gpg", installedPath: "/usr/bin/gpg" },
  { name: "gpg-agent", installedPath: "/usr/bin/gpg-agent" },
  { name: "gpgconf", installedPath: "/usr/bin/gpgconf" },
  { name: "nginx-light", installedPath: "/usr/sbin/nginx" },
  { name: "haproxy", installedPath: "/usr/sbin/haproxy" },
  { name: "caddy", installedPath: "/usr/bin/caddy" },
  { name: "debootstrap", installedPath: "/usr/sbin/debootstrap" },
  { name: "mmdebstrap", installedPath: "/usr/bin/mmdebstrap" },
  { name: "systemd-container", installedPath: "/usr/bin/systemd-nspawn" },
  { name: "systemd", installedPath: "/{,usr/}bin/systemd-analyze" },
];

/**
 * Installs missing packages if that needs no password: as root or with `sudo -n`, on Debian and its derivatives.
 * Otherwise throws an error with the command that installs them.
 */
export function installMissingPackages(): string {
  const missing = findMissing(needed);
  if (missing.length === 0) return "nothing missing";
  const prefix = rootCommandPrefix();
  if (!existsSync("/usr/bin/apt-get") || prefix === null) {
    throw new Error(
      `The tests need ${missing.join(" and ")}. Install with:\n\n    ${installCommand(missing)}\n`,
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
  const stillMissing = findMissing(needed);
  if (stillMissing.length > 0) {
    throw new Error(
      `apt-get installed ${missing.join(" and ")}, but ${stillMissing.join(" and ")} cannot be found.`,
    );
  }
  return `installed ${missing.join(" and ")}`;
}

/** Returns the prefix of a command that needs root, or null if root needs a password. */
