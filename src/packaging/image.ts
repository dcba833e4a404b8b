/**
 * Builds the server's image as an archive, without an engine and a registry of images. The first argument is the output folder,
 * `build/image` by default. `--base FILE` uses a lowest layer that `writeBase` wrote before, and `--uncompressed` compresses no layer,
 * which is most of the work.
 */
import { chmod, copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { writeArchive } from "./archive.ts";
import { readBuildVersion } from "./build-version.ts";
import { programsFolder, root } from "./bundle.ts";
import { hasMmdebstrap, user, writeBase } from "./image-base.ts";
import { writeInstallation } from "./installation.ts";
import { writeOciArchive } from "./oci-archive.ts";

const place = "usr/lib/peerdeck-server";
const program = [`/${place}/node`, "--max-semi-space-size=2", `/${place}/${programsFolder}/peerdeck.mjs`];
/** For `podman exec` and the like. */
const command = `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`;

const { values: options, positionals } = parseArgs({
  options: { base: { type: "string" }, uncompressed: { type: "boolean", default: false } },
  allowPositionals: true,
});
tolerateLostOutput();
const out = resolve(positionals[0] ?? join(root, "build/image"));
const { version, seconds } = await readBuildVersion();
await mkdir(out, { recursive: true });

const base = join(out, "base.tar");
if (options.base !== undefined) await copyFile(options.base, base);
else if (await hasMmdebstrap()) await writeBase(base);
else {
  process.stderr.write("No image was built: mmdebstrap is missing. Run: apt-get install mmdebstrap\n");
  process.exit(1);
}

const tree = join(out, "tree");
await writeInstallation(join(tree, place), { version, seconds });
const node = join(root, `node_modules/node-linux-${process.arch}`);
await copyFile(join(node, "bin/node"), join(tree, place, "node"));
await copyFile(join(node, "LICENSE"), join(tree, place, "LICENSE.node"));
await mkdir(join(tree, "usr/bin"));
await writeFile(join(tree, "usr/bin/peerdeck"), command);
for (const file of ["usr/bin/peerdeck", join(place, "node")]) await chmod(join(tree, file), 0o755);
const server = join(out, "server.tar");
await writeArchive(server, { folder: tree, names: ["usr"], seconds });
await rm(tree, { recursive: true });

const target = join(out, `peerdeck-${version}.oci.tar`);
await writeOciArchive(
  target,
  {
    // A tag has no plus sign.
    name: `localhost/peerdeck:${version.replace("+", "-")}`,
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    seconds,
    config: {
      User: `${user.id}:${user.id}`,
      Env: [
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
        `HOME=${user.home}`,
        `DATA_DIR=${user.home}`,
        "PEERDECK_CONFIG=/etc/peerdeck-server/provider.toml",
        // The engine decides what is published.
        "HOST=0.0.0.0",
        "METRICS_HOST=0.0.0.0",
      ],
      Entrypoint: program,
      Cmd: ["server"],
      WorkingDir: user.home,
      Volumes: { [user.home]: {} },
      ExposedPorts: { "4242/tcp": {}, "4244/tcp": {} },
      StopSignal: "SIGTERM",
      Labels: {
        "org.opencontainers.image.title": "Peerdeck",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "MIT",
      },
    },
    layers: [
      { tar: base, createdBy: "Debian" },
      { tar: server, createdBy: "Peerdeck and Node.js" },
    ],
  },
  { isCompressed: !options.uncompressed },
);
process.stdout.write(`${relative(process.cwd(), target)}\n`);
