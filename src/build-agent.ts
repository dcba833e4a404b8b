/**
 * Bundles the agent into one file that needs only Node.js, `peerdeck-agent.mjs`, and packs it with Node.js, its unit
 * and the rest of `src/agent/package` into a Debian package for each architecture whose Node.js is installed here.
 * The first argument is the output folder, `build/agent` by default. `--uncompressed` leaves the package uncompressed,
 * which is a tenth of the work.
 */
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { tolerateLostOutput } from "./system/lost-output.ts";
import { runOk, runProcess } from "./system/processes.ts";

const root = join(import.meta.dirname, "..");
const { values: options, positionals } = parseArgs({
  options: { uncompressed: { type: "boolean", default: false } },
  allowPositionals: true,
});
const out = resolve(positionals[0] ?? join(root, "build/agent"));
/** Debian's architecture names by npm's. */
const architectures = { x64: "amd64", arm64: "arm64" } as const;
const programs = new Set([
  ...["preinst", "postinst", "prerm", "postrm"].map((name) => `DEBIAN/${name}`),
  "usr/bin/peerdeck-agent",
]);
const version = await nextVersion();
/** Debian sorts what follows a tilde before the release (deb-version(7)). */
const packageVersion = version.replaceAll("-", "~");

tolerateLostOutput();
await build({
  root,
  // Ignores the web app's configuration.
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/agent/main.ts",
    outDir: out,
    emptyOutDir: true,
    target: "node24",
    // Not minified, so that operators can read the program that runs on their routers.
    minify: false,
    rolldownOptions: { output: { entryFileNames: "peerdeck-agent.mjs", codeSplitting: false } },
  },
});
// `setup` reads the base of bird.conf from the bundle's folder.
await copyFile(join(root, "docs/bird/bird.conf"), join(out, "bird.conf"));
await writeFile(join(out, "version"), `${version}\n`);

if (await hasDpkg()) {
  for (const [npm, debian] of Object.entries(architectures)) {
    const node = join(root, `node_modules/node-linux-${npm}`);
    if (existsSync(node)) await pack(node, debian);
  }
} else {
  print("No Debian package was built: dpkg-deb is missing. The bundle is complete without it.");
}

/** @param node the folder of the npm package with Node.js and its license */
async function pack(node: string, architecture: string): Promise<void> {
  const tree = join(out, "package");
  await rm(tree, { recursive: true, force: true });
  await cp(join(root, "src/agent/package"), tree, { recursive: true });
  const files = {
    "etc/bird/peerdeck-policy.conf": join(root, "docs/bird/peerdeck-policy.conf"),
    "usr/lib/peerdeck-agent/bird.conf": join(out, "bird.conf"),
    "usr/lib/peerdeck-agent/peerdeck-agent.mjs": join(out, "peerdeck-agent.mjs"),
    "usr/lib/peerdeck-agent/version": join(out, "version"),
    "usr/lib/peerdeck-agent/node": join(node, "bin/node"),
    "usr/share/doc/peerdeck-agent/copyright": join(root, "LICENSE"),
    "usr/share/doc/peerdeck-agent/copyright.node": join(node, "LICENSE"),
  };
  for (const [path, from] of Object.entries(files)) {
    await mkdir(join(tree, path, ".."), { recursive: true });
    await copyFile(from, join(tree, path));
  }
  let size = 0;
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(tree.length + 1);
    const runs = entry.isDirectory() || programs.has(name) || name.endsWith("/node");
    await chmod(path, runs ? 0o755 : 0o644);
    size += (await stat(path)).size;
  }
  const control = join(tree, "DEBIAN/control");
  const values = { version: packageVersion, architecture, "installed-size": String(Math.ceil(size / 1024)) };
  let text = await readFile(control, "utf8");
  for (const [name, value] of Object.entries(values)) text = text.replace(`@${name}@`, value);
  await writeFile(control, text);
  const target = join(out, `peerdeck-agent_${packageVersion}_${architecture}.deb`);
  // xz level 1 takes three seconds instead of twenty and makes the package 6 MB larger (38 MB in total).
  const compression = options.uncompressed ? ["-Znone"] : ["-Zxz", "-z1"];
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", ...compression, "--build", tree, target], {
    timeoutMs: 300_000,
  });
  await rm(tree, { recursive: true });
  print(relative(process.cwd(), target));
}

/**
 * The release with the time of this build, like `1.0.0+20261124.024500`, so that every build replaces the one before. Times
 * rise in all copies of the repository and without one; numbers of commits do not.
 */
async function nextVersion(): Promise<string> {
  const { version: release } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const digits = new Date().toISOString().replaceAll(/\D/g, "");
  return `${release}+${digits.slice(0, 8)}.${digits.slice(8, 14)}`;
}

async function hasDpkg(): Promise<boolean> {
  return runProcess("dpkg-deb", ["--version"]).then(
    () => true,
    () => false,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
