import { existsSync } from "node:fs";
import { chmod, cp, lutimes, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runOk, runProcess } from "../system/processes.ts";
import type { BuildVersion } from "./build-version.ts";
import { root } from "./bundle.ts";

/** Debian's architecture names by npm's. */
const architectures = { x64: "amd64", arm64: "arm64" } as const;

export interface DebianPackage {
  /** Also of its folder in `usr/lib`, which gets Node.js. */
  readonly name: string;
  readonly version: BuildVersion;
  /** The folder with `DEBIAN` and the files that are packed as they are. `control` has marks such as `@version@`. */
  readonly template: string;
  /** More files and folders by their paths in the package. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the files that are executable, besides Node.js and the scripts in `DEBIAN`. */
  readonly programs: readonly string[];
}

export interface PackageOptions {
  /** The output folder. */
  readonly out: string;
  /** False: the package is not compressed, which is a tenth of the work. */
  readonly isCompressed: boolean;
}

/** Reads the arguments of a program that builds a package. */
export function readPackageOptions(defaultOut: string): PackageOptions {
  const { values, positionals } = parseArgs({
    options: { uncompressed: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  return { out: resolve(positionals[0] ?? join(root, defaultOut)), isCompressed: !values.uncompressed };
}

/**
 * Builds a Debian package for each architecture whose Node.js is installed here, and prints their paths. The same files and
 * version give the same bytes.
 */
export async function buildDebianPackages(described: DebianPackage, options: PackageOptions): Promise<void> {
  if (!(await hasDpkg())) {
    print("No Debian package was built: dpkg-deb is missing.");
    return;
  }
  for (const [npm, architecture] of Object.entries(architectures)) {
    const node = join(root, `node_modules/node-linux-${npm}`);
    if (existsSync(node))
      print(relative(process.cwd(), await buildPackage(described, { node, architecture }, options)));
  }
}

function hasDpkg(): Promise<boolean> {
  return runProcess("dpkg-deb", ["--version"]).then(
    () => true,
    () => false,
  );
}

/** @param node the folder of the npm package with Node.js */
async function buildPackage(
  { name, version, template, files, programs }: DebianPackage,
  { node, architecture }: { readonly node: string; readonly architecture: string },
  { out, isCompressed }: PackageOptions,
): Promise<string> {
  // Debian sorts what follows a tilde before the release (deb-version(7)).
  const packageVersion = version.version.replaceAll("-", "~");
  const tree = join(out, `${name}.tree`);
  await rm(tree, { recursive: true, force: true });
  await cp(template, tree, { recursive: true });
  const nodeProgram = `usr/lib/${name}/node`;
  const all = {
    ...files,
    [nodeProgram]: join(node, "bin/node"),
    [`usr/share/doc/${name}/copyright`]: join(root, "LICENSE"),
    [`usr/share/doc/${name}/copyright.node`]: join(node, "LICENSE"),
  };
  for (const [path, from] of Object.entries(all)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(from, join(tree, path), { recursive: true });
  }
  const isProgram = (path: string) =>
    [nodeProgram, ...programs].includes(path) || /^DEBIAN\/(?:preinst|postinst|prerm|postrm)$/.test(path);
  const bytes = await normalize(tree, isProgram, version.seconds);
  const control = join(tree, "DEBIAN/control");
  await fillMarks(control, {
    version: packageVersion,
    architecture,
    "installed-size": String(Math.ceil(bytes / 1024)),
  });
  await lutimes(control, version.seconds, version.seconds);
  const target = join(out, `${name}_${packageVersion}_${architecture}.deb`);
  // xz level 1 takes three seconds instead of twenty and makes the package 6 MB larger (38 MB in total).
  const compression = isCompressed ? ["-Zxz", "-z1"] : ["-Znone"];
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", ...compression, "--build", tree, target], {
    timeoutMs: 300_000,
    environment: { ...process.env, SOURCE_DATE_EPOCH: String(version.seconds) },
  });
  await rm(tree, { recursive: true });
  return target;
}

/** Sets the modes and times of all files and folders, and returns the size of the files. */
async function normalize(
  tree: string,
  isProgram: (path: string) => boolean,
  seconds: number,
): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || isProgram(path.slice(tree.length + 1));
    await chmod(path, runs ? 0o755 : 0o644);
    await lutimes(path, seconds, seconds);
    bytes += (await stat(path)).size;
  }
  await chmod(tree, 0o755);
  await lutimes(tree, seconds, seconds);
  return bytes;
}

async function fillMarks(file: string, values: Readonly<Record<string, string>>): Promise<void> {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`@${name}@`, value),
    await readFile(file, "utf8"),
  );
  await writeFile(file, filled);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
