/**
 * Bundles the agent into one file that needs only Node.js, `peerdeck-agent.mjs`, and packs it with Node.js, its unit
 * and the rest of `src/agent/package` into a Debian package for each architecture whose Node.js is installed here.
 * The first argument is the output folder, `build/agent` by default. `--uncompressed` leaves the package uncompressed,
 * which is a tenth of the work.
 */
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { readBuildVersion } from "./build-version.ts";
import { bundleConfig, root } from "./bundle.ts";
import { buildDebianPackages, readPackageOptions } from "./debian-package.ts";

const options = readPackageOptions("build/agent");
const { out } = options;
const version = await readBuildVersion();

tolerateLostOutput();
const config = bundleConfig({ "peerdeck-agent": "src/agent/main.ts" }, { isOneFile: true });
await build({ ...config, build: { ...config.build, outDir: out } });
// `setup` reads the base of bird.conf from the bundle's folder.
await copyFile(join(root, "docs/bird/bird.conf"), join(out, "bird.conf"));
await writeFile(join(out, "version"), `${version.version}\n`);

await buildDebianPackages(
  {
    name: "peerdeck-agent",
    version,
    template: join(root, "src/agent/package"),
    files: {
      "etc/bird/peerdeck-policy.conf": join(root, "docs/bird/peerdeck-policy.conf"),
      "usr/lib/peerdeck-agent/bird.conf": join(out, "bird.conf"),
      "usr/lib/peerdeck-agent/peerdeck-agent.mjs": join(out, "peerdeck-agent.mjs"),
      "usr/lib/peerdeck-agent/version": join(out, "version"),
      "usr/share/doc/peerdeck-agent/licenses.md": join(out, "licenses.md"),
    },
    programs: ["usr/bin/peerdeck-agent"],
  },
  options,
);
