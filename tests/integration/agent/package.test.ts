/** The Debian package: its content, and the parts of it that run without installing it. */
import { execFile } from "node:child_process";
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildAgentPackage } from "../../support/debian-packages.ts";
import { repository } from "../../support/repository.ts";

const execute = promisify(execFile);
const units = "usr/lib/systemd/system";

let folder = "";
let deb = "";
/** The folder of the package's unpacked files. */
let tree = "";

async function run(program: string, ...args: readonly string[]): Promise<string> {
  return (await execute(program, args)).stdout;
}

// A run of every case installs a compressed package on the machine.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "peerdeck-package-"));
  deb = await buildAgentPackage(path.join(folder, "built"), { compressed: false });
  tree = path.join(folder, "tree");
  await run("dpkg-deb", "--raw-extract", deb, tree);
});
afterAll(() => rm(folder, { recursive: true }));

test("declares its name, version and dependencies", async () => {
  const { version: release } = JSON.parse(await readFile(path.join(repository, "package.json"), "utf8")) as {
    version: string;
  };
  const version = (await run("dpkg-deb", "--field", deb, "Version")).trim();
  expect(version).toMatch(/^[\d.]+(~beta\.\d+)?\+\d{8}\.\d{6}$/);
  expect(version.startsWith(`${release.replace("-", "~")}+`)).toBe(true);
  // A release replaces its betas.
  const [stable = ""] = release.split("-");
  await run("dpkg", "--compare-versions", version, stable === release ? "ge" : "lt", stable);
  const architecture = (await run("dpkg", "--print-architecture")).trim();
  expect(path.basename(deb)).toBe(`peerdeck-agent_${version}_${architecture}.deb`);
  const fields = await run("dpkg-deb", "--field", deb);
  expect(fields).toContain(`Package: peerdeck-agent\nVersion: ${version}\nArchitecture: ${architecture}\n`);
  expect(fields).toMatch(
    /^Depends: bird2 .*wireguard-tools, nftables, iproute2, iputils-ping, fping, netbase, systemd /m,
  );
  expect(fields).toMatch(/^Installed-Size: [0-9]{6}$/m);
  expect(fields).not.toMatch(/@[a-z-]+@/);
});

test("all files belong to root, only root can write them, and only programs are executable", async () => {
  const lines = (await run("dpkg-deb", "--contents", deb)).trim().split("\n");
  const files = lines.map((line) => {
    const [mode = "", owner = "", , , , name = ""] = line.split(/\s+/);
    return { mode, owner, name };
  });
  expect(files.filter(({ owner }) => owner !== "root/root")).toEqual([]);
  expect(files.filter(({ mode }) => !/^(d|-)rw.r-.r-.$/.test(mode))).toEqual([]);
  expect(files.filter(({ mode }) => mode.startsWith("-rwx")).map(({ name }) => name)).toEqual([
    "./usr/bin/peerdeck-agent",
    "./usr/lib/peerdeck-agent/node",
  ]);
  expect(files.filter(({ mode }) => mode.startsWith("-")).map(({ name }) => name)).toEqual([
    "./etc/bird/peerdeck-policy.conf",
    "./usr/bin/peerdeck-agent",
    "./usr/lib/peerdeck-agent/bird.conf",
    "./usr/lib/peerdeck-agent/node",
    "./usr/lib/peerdeck-agent/peerdeck-agent.mjs",
    "./usr/lib/peerdeck-agent/version",
    "./usr/lib/sysctl.d/60-peerdeck-agent.conf",
    "./usr/lib/systemd/system/bird.service.d/peerdeck.conf",
    "./usr/lib/systemd/system/peerdeck-agent.service",
    "./usr/lib/sysusers.d/peerdeck-agent.conf",
    "./usr/share/doc/peerdeck-agent/copyright",
    "./usr/share/doc/peerdeck-agent/copyright.node",
    "./usr/share/doc/peerdeck-agent/licenses.md",
  ]);
  const settings = await readFile(path.join(tree, "DEBIAN/conffiles"), "utf8");
  expect(settings).toBe("/etc/bird/peerdeck-policy.conf\n");
});

test("its scripts have valid shell syntax", async () => {
  for (const name of ["preinst", "postinst", "postrm", "prerm"]) {
    expect((await lstat(path.join(tree, "DEBIAN", name))).mode & 0o777).toBe(0o755);
    await run("sh", "-n", path.join(tree, "DEBIAN", name));
  }
});

test("its program runs with its Node.js, without the project", async () => {
  const program = path.join(tree, "usr/lib/peerdeck-agent");
  const [node, bundle] = [path.join(program, "node"), path.join(program, "peerdeck-agent.mjs")];
  const version = await run(node, bundle, "--version");
  expect(version.replace("-", "~")).toBe(await run("dpkg-deb", "--field", deb, "Version"));
  const help = await run(node, bundle, "setup", "--help");
  expect(help).toMatch(
    /^Configures this machine as a node without a server\. Without options, checks a configured node\./,
  );
  expect(await run(node, bundle, "join", "--help")).toContain("\npeerdeck-agent join 'https://");
  const refused = await execute(node, [bundle, "setup"], {
    env: { PEERDECK_AGENT_CONFIG: path.join(folder, "none.toml") },
  }).catch((error: { code: number; stderr: string }) => error);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`^${path.join(folder, "none.toml")} does not exist yet\\.`),
  });
});

test("systemd accepts the units and rates the agent's exposure as low", async () => {
  // Copies the files that the units refer to from this machine.
  await cp("/lib/systemd/system/bird.service", path.join(tree, units, "bird.service"));
  for (const file of ["usr/sbin/bird", "usr/sbin/birdc", "usr/lib/bird/prepare-environment", "bin/sh"]) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await cp(`/${file}`, path.join(tree, file), { dereference: true });
  }
  for (const target of ["sysinit", "basic", "shutdown", "network", "network-online", "multi-user"]) {
    await writeFile(path.join(tree, units, `${target}.target`), "[Unit]\nDescription=here\n");
  }
  const verified = ["peerdeck-agent.service", "bird.service"];
  const { stderr } = await execute("systemd-analyze", ["verify", "--man=no", `--root=${tree}`, ...verified]);
  expect(stderr.split("\n").filter((line) => /peerdeck/.test(line))).toEqual([]);
  // 20 is 2.0 of 10, which systemd calls OK.
  await run(
    "systemd-analyze",
    "security",
    "--offline=true",
    "--no-pager",
    "--threshold=20",
    `--root=${tree}`,
    "peerdeck-agent.service",
  );
});

/** What Debian 12 has of these packages. Further ones that the package needs are made up. */
const debian = `Package: wireguard-tools
Version: 1.0.20210914-1+b1
Recommends: nftables | iptables, wireguard-modules (>= 0.0.20171001) | wireguard-dkms (>= 0.0.20191219)

Package: linux-image-cloud-amd64
Version: 6.1.176-1
Provides: linux-latest-modules-6.1.0-50-cloud-amd64, wireguard-modules (= 1.0.0)

Package: linux-image-rt-amd64
Version: 6.1.176-1
Provides: linux-latest-modules-6.1.0-50-rt-amd64, wireguard-modules (= 1.0.0)
`;

test("its installation brings no kernel to a machine without one, such as a container", async () => {
  const apt = path.join(folder, "apt");
  for (const name of ["state/lists/partial", "cache/archives/partial", "etc/preferences.d", "mirror"])
    await mkdir(path.join(apt, name), { recursive: true });
  const dependencies = (await run("dpkg-deb", "--field", deb, "Pre-Depends", "Depends", "Recommends"))
    .split(/\n\S+: |[\n,|]/)
    .map(
      (dependency) =>
        dependency
          .replace(/^\S+: /, "")
          .trim()
          .split(" ")[0],
    )
    .filter((name) => name !== undefined && name !== "" && name !== "wireguard-tools");
  const stanzas = [...debian.split("\n\n"), ...dependencies.map((name) => `Package: ${name}\nVersion: 999`)];
  const listed = stanzas.map((stanza, index) =>
    [stanza.trim(), "Architecture: all", `Filename: ./${index}.deb`, "Size: 1", "SHA256: 00", ""].join("\n"),
  );
  await writeFile(path.join(apt, "mirror/Packages"), listed.join("\n"));
  await writeFile(path.join(apt, "status"), "");
  await writeFile(path.join(apt, "sources.list"), `deb [trusted=yes] file:${apt}/mirror ./\n`);
  const settings = {
    "Dir::State": `${apt}/state`,
    "Dir::State::status": `${apt}/status`,
    "Dir::Cache": `${apt}/cache`,
    "Dir::Etc": `${apt}/etc`,
    "Dir::Etc::sourcelist": `${apt}/sources.list`,
    "APT::Sandbox::User": "",
    "APT::Install-Recommends": "true",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await run("apt-get", ...options, "update");
  const simulated = await run("apt-get", ...options, "install", "--simulate", deb);
  const installed = Array.from(simulated.matchAll(/^Inst (\S+)/gm), ([, name]) => name);
  expect(installed).toEqual(expect.arrayContaining(["wireguard-tools", "nftables", "ca-certificates"]));
  expect(installed.filter((name) => name?.startsWith("linux-image"))).toEqual([]);
});

let generations = "";
beforeEach(async () => {
  generations = await mkdtemp(path.join(folder, "generations-"));
  for (const slot of ["a", "b"]) await mkdir(path.join(generations, slot));
});
afterEach(() => rm(generations, { recursive: true }));

/** Runs the command that systemd runs before it starts BIRD. */
async function boot(): Promise<void> {
  const text = await readFile(path.join(tree, units, "bird.service.d/peerdeck.conf"), "utf8");
  const command = /^ExecCondition=\+\/bin\/sh -c '([^']+)'$/m.exec(text)?.[1] ?? "";
  expect(command).toContain("cd /etc/bird/peerdeck ");
  await run("/bin/sh", "-c", command.replace("/etc/bird/peerdeck", generations));
}

async function links(): Promise<readonly (string | null)[]> {
  const targets = ["current", "confirmed"].map((name) =>
    readlink(path.join(generations, name)).catch(() => null),
  );
  return Promise.all(targets);
}

test.each([
  { current: "a", confirmed: "a", after: ["a", "a"] },
  { current: "b", confirmed: "a", after: ["a", "a"] },
  { current: "a", confirmed: "b", after: ["b", "b"] },
  { current: null, confirmed: "b", after: ["b", "b"] },
  { current: "b", confirmed: null, after: ["b", null] },
  { current: null, confirmed: null, after: [null, null] },
])(
  "BIRD starts with the confirmed generation: current $current, confirmed $confirmed",
  async ({ current, confirmed, after }) => {
    if (current !== null) await symlink(current, path.join(generations, "current"));
    if (confirmed !== null) await symlink(confirmed, path.join(generations, "confirmed"));
    await boot();
    expect(await links()).toEqual(after);
    await symlink("b", path.join(generations, "current.new"));
    await boot();
    expect(await links()).toEqual(after);
    for (const slot of ["a", "b"]) expect(await readdir(path.join(generations, slot))).toEqual([]);
  },
);
