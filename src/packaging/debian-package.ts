import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  cp,
  lutimes,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { runOk, runProcess } from "../system/processes.ts";
import type { BuildVersion } from "./build-version.ts";
import { root } from "./bundle.ts";

/** Debian's architecture names by npm's. */
const architectures = { x64: "amd64", arm64: "arm64" } as const;

export interface DebianPackage {
  readonly name: string;
  readonly version: BuildVersion;
  readonly architecture: string;
  /** The folder with `DEBIAN` and the files that are packed as they are. `control` has marks such as `@version@`. */
  readonly template: string;
  /** More files and folders by their paths in the package. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the files that are executable, besides the scripts in `DEBIAN`. */
  readonly programs: readonly string[];
}

/** Returns the folders of the npm packages with Node.js that are installed here, with Debian's names of their architectures. */
export function listNodes(): ReadonlyArray<{ readonly node: string; readonly architecture: string }> {
  return Object.entries(architectures)
    .map(([npm, architecture]) => ({ node: join(root, `node_modules/node-linux-${npm}`), architecture }))
    .filter(({ node }) => existsSync(node));
}

/** Whether packages can be built here. */
export function hasDpkg(): Promise<boolean> {
  return runProcess("dpkg-deb", ["--version"]).then(
    () => true,
    () => false,
  );
}

/**
 * Builds a Debian package into a folder and returns its path. The same files and version give the same bytes.
 *
 * @param isCompressed false: the package is not compressed, which is a tenth of the work
 */
export async function buildDebianPackage(
  { name, version, architecture, template, files, programs }: DebianPackage,
  { out, isCompressed }: { readonly out: string; readonly isCompressed: boolean },
): Promise<string> {
  // Debian sorts what follows a tilde before the release (deb-version(7)).
  const packageVersion = version.version.replaceAll("-", "~");
  const tree = join(out, `${name}.tree`);
  await rm(tree, { recursive: true, force: true });
  await cp(template, tree, { recursive: true });
  for (const [path, from] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    if ((await stat(from)).isDirectory()) await cp(from, join(tree, path), { recursive: true });
    else await copyFile(from, join(tree, path));
  }
  const isProgram = (path: string) =>
    programs.includes(path) || /^DEBIAN\/(?:preinst|postinst|prerm|postrm|config)$/.test(path);
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
