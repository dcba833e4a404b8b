/** The server's Debian package: its content, and the parts of it that run without installing it. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildServerPackage } from "../../support/debian-packages.ts";

const execute = promisify(execFile);
const home = "usr/lib/peerdeck-server";
const units = "usr/lib/systemd/system";

let folder = "";
let deb = "";
/** The folder of the package's unpacked files. */
let tree = "";

async function run(program: string, ...args: readonly string[]): Promise<string> {
  return (await execute(program, args)).stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "peerdeck-package-"));
  deb = await buildServerPackage(path.join(folder, "built"), { compressed: false });
  tree = path.join(folder, "tree");
  await run("dpkg-deb", "--raw-extract", deb, tree);
});
afterAll(() => rm(folder, { recursive: true }));

test("declares its name, version and dependencies", async () => {
  const architecture = (await run("dpkg", "--print-architecture")).trim();
  const version = (await run("dpkg-deb", "--field", deb, "Version")).trim();
  expect(path.basename(deb)).toBe(`peerdeck-server_${version}_${architecture}.deb`);
  const fields = await run("dpkg-deb", "--field", deb);
  expect(fields).toMatch(/^Depends: git, openssh-client, systemd .*libatomic1$/m);
  expect(fields).toMatch(/^Suggests: nginx \| caddy, postgresql, postgresql-client$/m);
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
    "./usr/bin/peerdeck",
    "./usr/lib/peerdeck-server/backup",
    "./usr/lib/peerdeck-server/node",
  ]);
  const others = files.filter(
    ({ mode, name }) => mode.startsWith("-") && !/^\.\/usr\/lib\/peerdeck-server\/(?:build|src)\//.test(name),
  );
  expect(others.map(({ name }) => name)).toEqual([
    "./usr/bin/peerdeck",
    "./usr/lib/peerdeck-server/LICENSE",
    "./usr/lib/peerdeck-server/backup",
    "./usr/lib/peerdeck-server/docs/provider.example.toml",
    "./usr/lib/peerdeck-server/environment",
    "./usr/lib/peerdeck-server/node",
    "./usr/lib/peerdeck-server/package.json",
    "./usr/lib/systemd/system/peerdeck-backup.service",
    "./usr/lib/systemd/system/peerdeck-backup.service.d/sandbox.conf",
    "./usr/lib/systemd/system/peerdeck-backup.timer",
    "./usr/lib/systemd/system/peerdeck-server.service",
    "./usr/lib/systemd/system/peerdeck-server.service.d/sandbox.conf",
    "./usr/lib/sysusers.d/peerdeck-server.conf",
    "./usr/share/doc/peerdeck-server/copyright",
    "./usr/share/doc/peerdeck-server/copyright.node",
    "./usr/share/doc/peerdeck-server/monitoring/alerts.yml",
    "./usr/share/doc/peerdeck-server/monitoring/dashboard.json",
    "./usr/share/doc/peerdeck-server/reverse-proxy/Caddyfile",
    "./usr/share/doc/peerdeck-server/reverse-proxy/haproxy.cfg",
    "./usr/share/doc/peerdeck-server/reverse-proxy/nginx.conf",
  ]);
  // Without conffiles, an upgrade asks nothing.
  expect((await readdir(path.join(tree, "DEBIAN"))).toSorted()).toEqual([
    "control",
    "postinst",
    "postrm",
    "prerm",
    "templates",
  ]);
});

test("its scripts have valid shell syntax", async () => {
  const scripts = ["DEBIAN/postinst", "DEBIAN/postrm", "DEBIAN/prerm", "usr/bin/peerdeck", `${home}/backup`];
  for (const script of scripts) expect(await run("sh", "-n", path.join(tree, script))).toBe("");
});

test("its program runs with its Node.js, without the project", async () => {
  const [node, program] = [
    path.join(tree, home, "node"),
    path.join(tree, home, "build/programs/peerdeck.mjs"),
  ];
  const version = await run(node, program, "--version");
  expect(version.replace("-", "~")).toBe(await run("dpkg-deb", "--field", deb, "Version"));
  const refused = await execute(node, [program, "server"], {
    env: { PEERDECK_CONFIG: path.join(folder, "none.toml"), DATA_DIR: path.join(folder, "data") },
  }).catch((error: { code: number; stderr: string }) => error);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      `^The provider profile ${path.join(folder, "none.toml")} cannot be read \\(ENOENT\\)`,
    ),
  });
});

test("systemd accepts the units and rates the exposure of server and backup as low", async () => {
  for (const target of ["sysinit", "basic", "shutdown", "network", "network-online", "multi-user", "timers"])
    await writeFile(path.join(tree, units, `${target}.target`), "[Unit]\nDescription=here\n");
  const services = ["peerdeck-server.service", "peerdeck-backup.service"];
  const verified = [...services, "peerdeck-backup.timer"];
  const { stderr } = await execute("systemd-analyze", ["verify", "--man=no", `--root=${tree}`, ...verified]);
  expect(stderr.split("\n").filter((line) => /peerdeck/.test(line))).toEqual([]);
  for (const service of services) {
    // 20 is 2.0 of 10, which systemd calls OK.
    const options = ["--offline=true", "--no-pager", "--threshold=20", `--root=${tree}`];
    expect(await run("systemd-analyze", "security", ...options, service)).toContain("OK");
  }
});

test("the same files and time give the same bytes", async () => {
  // A time in the future, because dpkg-deb itself lowers the times of newer files to it.
  vi.stubEnv("SOURCE_DATE_EPOCH", "4000000000");
  const hashes: string[] = [];
  try {
    for (const name of ["one", "other"]) {
      const built = await buildServerPackage(path.join(folder, name), { compressed: false });
      const hash = createHash("sha256");
      for await (const chunk of createReadStream(built)) hash.update(chunk as Buffer);
      hashes.push(`${path.basename(built)} ${hash.digest("hex")}`);
    }
  } finally {
    vi.unstubAllEnvs();
  }
  expect(hashes[0]).toContain("+20961002.070640_");
  expect(hashes[1]).toBe(hashes[0]);
});

test("a stop may take as long as the server allows itself", async () => {
  const unit = await readFile(path.join(tree, units, "peerdeck-server.service"), "utf8");
  const settings = await readFile(path.join(tree, home, "environment"), "utf8");
  const unitSeconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  const serverSeconds = Number(/^#STOP_TIMEOUT_SECONDS=(\d+)$/m.exec(settings)?.[1]);
  expect(unitSeconds).toBeGreaterThan(serverSeconds);
});
