/**
 * Builds the server as an npm package: `npx ./peerdeck-VERSION.tgz demo` runs the demo where Node.js and npm are installed. npm
 * adds the project's Node.js. The first argument is the output folder, `build/npm` by default.
 */
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { tolerateLostOutput } from "../system/lost-output.ts";
import { compress, writeArchive } from "./archive.ts";
import { readBuildVersion } from "./build-version.ts";
import { root } from "./bundle.ts";
import { writeInstallation } from "./installation.ts";

/** With the paths of the checkout, like the installation. */
const launcher = "src/launch.cjs";
const command = "src/packaging/npm/peerdeck.cjs";

interface Manifest {
  readonly description: string;
  readonly license: string;
  readonly engines: unknown;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, unknown>>;
}

tolerateLostOutput();
const out = resolve(process.argv[2] ?? join(root, "build/npm"));
const version = await readBuildVersion();
const folder = join(out, "package");
await writeInstallation(folder, version);
for (const file of [launcher, command]) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await copyFile(join(root, file), join(folder, file));
}

const { description, license, engines, optionalDependencies } = await readJson<Manifest>("package.json");
const about = { name: "peerdeck", version: version.version };
const needs = { license, bin: { peerdeck: command }, engines, optionalDependencies };
await writeJson("package.json", { ...about, description, type: "module", ...needs });
// A dependency's package-lock.json is not read, this one is: with the checksums of what npm adds.
const { lockfileVersion, packages } = await readJson<Lock>("package-lock.json");
const paths = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
const pinned = Object.fromEntries(paths.map((path) => [path, packages[path]]));
await writeJson("npm-shrinkwrap.json", {
  ...about,
  lockfileVersion,
  requires: true,
  packages: { "": { ...about, ...needs }, ...pinned },
});

const archive = join(out, "package.tar");
await writeArchive(archive, { folder: out, names: ["package"], seconds: version.seconds });
const target = join(out, `peerdeck-${version.version}.tgz`);
await rename(await compress(archive), target);
await rm(folder, { recursive: true });
process.stdout.write(`${relative(process.cwd(), target)}\n`);

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(root, name), "utf8")) as T;
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
