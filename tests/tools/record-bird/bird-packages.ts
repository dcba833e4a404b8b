/**
 * Fetches versions of BIRD as Debian packages, with their libraries, into a folder of their own.
 *
 * BIRD starts through the dynamic loader of that folder, because the machine's C library may be older. Nothing is
 * installed, and the machine's own package lists stay as they are.
 */
import { globSync } from "node:fs";
import { chmod, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { runOk, runProcess } from "#system/processes.ts";

export interface BirdRelease {
  /** A suite of Debian: a codename, or `sid`. */
  readonly suite: string;
  readonly package: "bird2" | "bird3";
}

export interface BirdBuild {
  /** What `bird --version` prints, such as `2.0.12`. */
  readonly version: string;
  /** Contains the programs `bird` and `birdc`. */
  readonly folder: string;
}

/** The releases that are recorded. The versions in `sid` change over time. */
export const birdReleases: readonly BirdRelease[] = [
  { suite: "bookworm", package: "bird2" },
  { suite: "trixie", package: "bird2" },
  { suite: "trixie", package: "bird3" },
  { suite: "sid", package: "bird2" },
  { suite: "sid", package: "bird3" },
];

const downloadTimeoutMs = 300_000;

/**
 * Returns a runnable build. It is fetched only if it does not exist yet; remove the folder to fetch it again.
 *
 * @param folder the folder of all builds, without spaces
 */
export async function fetchBird(release: BirdRelease, folder: string): Promise<BirdBuild> {
  const link = path.join(folder, `${release.suite}-${release.package}`);
  const existing = await readlink(link).catch(() => null);
  if (existing !== null) return { version: existing, folder: path.join(folder, existing) };
  const unpacked = path.join(folder, `new-${release.suite}-${release.package}`);
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(path.join(unpacked, "root"), { recursive: true });
  await unpackPackages(release, folder, unpacked);
  for (const program of ["bird", "birdc"]) await writeStarter(unpacked, program);
  const { stderr } = await runProcess(path.join(unpacked, "bird"), ["--version"]);
  const version = /^BIRD version ([0-9.]+)/.exec(stderr)?.[1];
  if (version === undefined)
    throw new Error(`${release.package} of ${release.suite} does not run: ${stderr}`);
  const build = path.join(folder, version);
  await rm(build, { recursive: true, force: true });
  await rename(unpacked, build);
  await symlink(version, link);
  return { version, folder: build };
}

async function unpackPackages(release: BirdRelease, folder: string, unpacked: string): Promise<void> {
  const archives = path.join(unpacked, "archives");
  await mkdir(path.join(archives, "partial"), { recursive: true });
  const options = await privateApt(release.suite, path.join(folder, "apt", release.suite));
  const run = (...args: readonly string[]) =>
    runOk(runProcess, "apt-get", [...options, "--quiet", ...args], { timeoutMs: downloadTimeoutMs });
  await run("update");
  // Without an installed package, this downloads all that the program needs.
  const toArchives = ["-o", `Dir::Cache::archives=${archives}`, "--download-only", "--no-install-recommends"];
  await run(...toArchives, "--yes", "install", release.package);
  for (const archive of globSync(path.join(archives, "*.deb")))
    await runOk(runProcess, "dpkg-deb", ["--extract", archive, path.join(unpacked, "root")]);
  await rm(archives, { recursive: true });
}

/**
 * Returns the options for `apt-get` with its own lists of one suite. The mirror and the keyring are those that the
 * machine uses for Debian; apt verifies the lists and the packages as always.
 */
async function privateApt(suite: string, state: string): Promise<readonly string[]> {
  const sources = await runOk(runProcess, "apt-get", [
    "indextargets",
    "--format",
    "$(REPO_URI) $(SOURCESENTRY)",
    "Created-By: Packages",
    "Origin: Debian",
    "Label: Debian",
  ]);
  const [, mirror, file] = /^(\S+) (\S+):[0-9]+$/m.exec(sources) ?? [];
  if (mirror === undefined || file === undefined)
    throw new Error("apt-get knows no mirror of Debian. Run `apt-get update` and try again.");
  // Both formats of sources.list(5): `Signed-By: FILE` and `[signed-by=FILE]`.
  const keyring = /signed-by[:=]\s*([^\s\]]+)/i.exec(await readFile(file, "utf8"))?.[1];
  const signedBy = keyring === undefined ? "" : `[signed-by=${keyring}] `;
  await mkdir(path.join(state, "lists/partial"), { recursive: true });
  await writeFile(path.join(state, "sources.list"), `deb ${signedBy}${mirror} ${suite} main\n`);
  await writeFile(path.join(state, "status"), "");
  const settings = {
    "Dir::State": state,
    "Dir::State::lists": path.join(state, "lists"),
    "Dir::State::status": path.join(state, "status"),
    "Dir::Cache": path.join(state, "cache"),
    "Dir::Etc::sourcelist": path.join(state, "sources.list"),
    "Dir::Etc::sourceparts": "-",
    "Acquire::Languages": "none",
    // The user that apt-get downloads as may not be able to read the folder.
    "APT::Sandbox::User": "root",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** Writes a script that starts a program with the libraries beside it, wherever the folder is. */
async function writeStarter(folder: string, program: string): Promise<void> {
  const root = path.join(folder, "root");
  const [loader] = globSync("{usr/,}lib{,64}/ld-linux*.so.*", { cwd: root });
  const libraries = globSync("{usr/,}lib/*-linux-gnu*", { cwd: root });
  if (loader === undefined) throw new Error(`The C library in ${root} has no dynamic loader.`);
  const libraryPath = libraries.map((each) => `$root/${each}`).join(":");
  const lines = [
    "#!/bin/sh",
    'root="$(dirname "$(readlink -f "$0")")/root"',
    `exec "$root/${loader}" --library-path "${libraryPath}" "$root/usr/sbin/${program}" "$@"`,
    "",
  ];
  await writeFile(path.join(folder, program), lines.join("\n"));
  await chmod(path.join(folder, program), 0o755);
}
