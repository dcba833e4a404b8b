/**
 * Packs the installed server with Node.js, its units and the rest of `src/server/package` into a Debian package for each
 * architecture whose Node.js is installed here. The first argument is the output folder, `build/server` by default.
 * `--uncompressed` leaves the package uncompressed, which is a tenth of the work.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { readBuildVersion } from "./build-version.ts";
import { root } from "./bundle.ts";
import { buildDebianPackages, readPackageOptions } from "./debian-package.ts";
import { writeInstallation } from "./installation.ts";

const options = readPackageOptions("build/server");
const version = await readBuildVersion();
const installation = join(options.out, "installation");
const home = "usr/lib/peerdeck-server";
const system = "usr/lib/systemd/system";
const sandbox = `${system}/peerdeck-server.service.d/sandbox.conf`;

tolerateLostOutput();
await writeInstallation(installation, version);
await buildDebianPackages(
  {
    name: "peerdeck-server",
    version,
    template: join(root, "src/server/package"),
    files: {
      [home]: installation,
      // The install guide copies them.
      "usr/share/doc/peerdeck-server/monitoring": join(root, "docs/monitoring"),
      "usr/share/doc/peerdeck-server/reverse-proxy": join(root, "docs/reverse-proxy"),
      // The backup needs no more than the server.
      [`${system}/peerdeck-backup.service.d/sandbox.conf`]: join(root, "src/server/package", sandbox),
    },
    programs: ["usr/bin/peerdeck", `${home}/backup`],
  },
  options,
);
await rm(installation, { recursive: true });
