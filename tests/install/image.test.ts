/** The image: a valid archive, whose container runs as its user with a root that it cannot change. No engine is needed. */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBase } from "../../src/packaging/image-base.ts";
import { openCachedFolder } from "../support/cached-folder.ts";
import { freePort } from "../support/free-port.ts";
import { repository } from "../support/repository.ts";
import { asRoot, runAsRoot } from "../support/root-command.ts";
import { waitFor } from "../support/wait-for.ts";
import { isResponding } from "./open-request.ts";

const execute = promisify(execFile);
const baseSource = path.join(repository, "src/packaging/image-base.ts");

interface Blob {
  readonly digest: string;
  readonly size: number;
}

interface Manifest {
  readonly config: Blob;
  readonly layers: readonly Blob[];
}

interface Configuration {
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly WorkingDir: string;
    readonly Volumes: Readonly<Record<string, unknown>>;
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

let parent = "";
let base = "";
let archive = "";
/** The archive's files. */
let layout = "";
/** A container's folder, as the specification of runtimes has it, with the layers in `rootfs`. */
let bundle = "";
let manifest: Manifest;
let configuration: Configuration;

beforeAll(async () => {
  // The image has 400 MB, and /tmp may be in memory.
  parent = await mkdtemp("/var/tmp/peerdeck-image-");
  base = await openBase();
  archive = await build("first");
  layout = path.join(parent, "layout");
  bundle = path.join(parent, "bundle");
  await mkdir(layout);
  await mkdir(path.join(bundle, "rootfs"), { recursive: true });
  await execute("tar", ["--extract", `--file=${archive}`, `--directory=${layout}`]);
  const index = await readJson<{ manifests: readonly Blob[] }>(path.join(layout, "index.json"));
  manifest = await readBlob(index.manifests[0]);
  configuration = await readBlob(manifest.config);
  for (const layer of manifest.layers) {
    const into = `--directory=${path.join(bundle, "rootfs")}`;
    await runAsRoot("tar", "--extract", "--numeric-owner", `--file=${blobPath(layer)}`, into);
  }
});
afterAll(() => runAsRoot("rm", "-rf", parent));

/** Returns the lowest layer. Creating it takes a minute, and needs Debian's mirror. */
async function openBase(): Promise<string> {
  const key = createHash("sha256")
    .update(await readFile(baseSource))
    .digest("hex")
    .slice(0, 12);
  const folder = await openCachedFolder(`image-base-${key}`, async (temporary) => {
    const file = path.join(parent, "base.tar");
    await writeBase(file);
    await runAsRoot("install", "-D", "--mode=644", file, path.join(temporary, "base.tar"));
    await rm(file, { force: true });
  });
  return path.join(folder, "base.tar");
}

/** Builds the image into a new folder, and returns its path. */
async function build(name: string): Promise<string> {
  const folder = path.join(parent, name);
  const env = { ...process.env, SOURCE_DATE_EPOCH: "1795000000" };
  const options = ["--base", base, "--uncompressed"];
  await execute("npm", ["run", "build:image", "--", folder, ...options], { cwd: repository, env });
  const files = await readdir(folder);
  expect(files).toEqual([expect.stringMatching(/^peerdeck-[\d.a-z-]+\+20261118\.\d{6}\.oci\.tar$/)]);
  return path.join(folder, files.join());
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8")) as T;
}

const blobPath = ({ digest }: Blob) => path.join(layout, "blobs", digest.replace(":", "/"));

function readBlob<T>(blob: Blob | undefined): Promise<T> {
  if (!blob) throw new Error("the image has no manifest");
  return readJson(blobPath(blob));
}

/** Starts the container's program, in this machine's network and without capabilities, as an engine does. */
async function startContainer(args: readonly string[], env: readonly string[] = []) {
  const { User, Env, WorkingDir, Volumes } = configuration.config;
  const [uid = 0, gid = 0] = User.split(":").map(Number);
  const bind = async (to: string) => {
    const source = await mkdtemp(path.join(parent, "volume-"));
    await runAsRoot("chown", User, source);
    return { destination: to, type: "bind", source };
  };
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  await writeFile(
    path.join(bundle, "config.json"),
    JSON.stringify({
      ociVersion: "1.0.0",
      process: {
        user: { uid, gid },
        args,
        env: [...Env, ...env],
        cwd: WorkingDir,
        capabilities: none,
      },
      root: { path: "rootfs" },
      mounts: [
        { destination: "/proc", type: "proc", source: "proc" },
        { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["mode=1777"] },
        ...(await Promise.all(Object.keys(Volumes).map(bind))),
      ],
      linux: { namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })) },
    }),
  );
  const [program, ...rest] = asRoot(
    "setpriv",
    // The signal ends the container if this process is killed.
    "--pdeathsig",
    "KILL",
    "env",
    // Of cgroups it needs nothing, and it expects those that this machine has.
    "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1",
    "systemd-nspawn",
    "--quiet",
    "--register=no",
    "--keep-unit",
    "--console=pipe",
    `--oci-bundle=${bundle}`,
    "--read-only",
    "--no-new-privileges=yes",
    "--kill-signal=SIGTERM",
  );
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const outputs = [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join(""));
  const ended = once(child, "exit");
  return {
    child,
    result: async () => {
      const [code] = (await ended) as [number | null];
      const [stdout, stderr] = await Promise.all(outputs);
      return { code, stdout, stderr };
    },
  };
}

test("each blob has the size and the digest that name it", async () => {
  const blobs = [manifest.config, ...manifest.layers];
  for (const blob of blobs) {
    const bytes = await readFile(blobPath(blob));
    expect({
      size: bytes.length,
      digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    }).toEqual({ size: blob.size, digest: blob.digest });
  }
  expect(configuration.rootfs.diff_ids).toEqual(manifest.layers.map(({ digest }) => digest));
  expect(await readdir(path.join(layout, "blobs/sha256"))).toHaveLength(blobs.length + 1);
});

test("its user can write into the volume and /tmp only, and has the programs that the server starts", async () => {
  const script = `
    for (const folder of ["/", "/etc", "/usr/lib/peerdeck-server", "/var/tmp", "/tmp", "/var/lib/peerdeck"])
      try { require("fs").writeFileSync(folder + "/new", ""); console.log("can write", folder); } catch {}
    for (const command of [["git", "--version"], ["pg_dump", "--version"], ["ssh", "-V"], ["peerdeck", "help"]])
      console.log(command[0], require("child_process").spawnSync(command[0], command.slice(1)).status);
    // SSH signatures are verified, for which ssh-keygen needs the name of its user.
    const doctor = require("child_process").spawnSync("peerdeck", ["doctor", "--json"], { encoding: "utf8" });
    console.log(/"ssh-[a-z]+"/.exec(doctor.stdout)[0]);
    console.log(require("os").userInfo().username, process.getuid());`;
  const [node = ""] = configuration.config.Entrypoint;
  const container = await startContainer([node, "--eval", script]);
  expect(await container.result()).toMatchObject({
    code: 0,
    stdout:
      'can write /tmp\ncan write /var/lib/peerdeck\ngit 0\npg_dump 0\nssh 0\npeerdeck 0\n"ssh-ok"\npeerdeck 10001\n',
  });
});

test("the server asks for a profile without one, and the demo runs until SIGTERM", async () => {
  const { Entrypoint } = configuration.config;
  const server = await startContainer([...Entrypoint, "server"]);
  expect(await server.result()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("/etc/peerdeck-server/provider.toml"),
  });

  const port = await freePort();
  const demo = await startContainer([...Entrypoint, "demo"], [`PORT=${port}`, "METRICS_PORT=0"]);
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => expect(await isResponding(url)).toBe(true));
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('id="root"')]);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: "ok" });
  } finally {
    await runAsRoot("kill", String(demo.child.pid));
  }
  expect(await demo.result()).toMatchObject({ code: 0 });
});

test("the same sources, time and base give the same bytes", async () => {
  const [first, second] = await Promise.all([archive, await build("second")].map((file) => readFile(file)));
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
});
