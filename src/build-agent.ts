/**
 * Bundles the agent into one file that needs nothing but Node, `peerdeck-agent.mjs`, and packs it with Node, its
 * unit and the rest of `src/agent/package` into a Debian package for each architecture whose Node is installed
 * here. The first argument is where to, `build/agent` without it.
 */
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { build } from "vite";
import { runOk, runProcess } from "./agent/processes.ts";

const root = join(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "build/agent"));
/** Debian's name for what npm calls so. */
const architectures = { x64: "amd64", arm64: "arm64" } as const;
const programs = new Set(["DEBIAN/postinst", "DEBIAN/postrm", "DEBIAN/prerm", "usr/bin/peerdeck-agent"]);

await build({
  root,
  // The web app's configuration is not the agent's.
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: "src/agent/main.ts",
    outDir: out,
    emptyOutDir: true,
    target: "node24",
    // Readable where it runs: whoever operates a router wants to see what acts on it.
    minify: false,
    rolldownOptions: { output: { entryFileNames: "peerdeck-agent.mjs", codeSplitting: false } },
  },
});
// What `setup` makes a bird.conf from lies beside the bundle.
await copyFile(join(root, "docs/bird/bird.conf"), join(out, "bird.conf"));

if (await hasDpkg()) {
  for (const [npm, debian] of Object.entries(architectures)) {
    const node = join(root, `node_modules/node-linux-${npm}`);
    if (existsSync(node)) await pack(node, debian);
  }
} else {
  say("No Debian package was made: dpkg-deb is missing. The bundle is complete without it.");
}

/** @param node the npm package that holds Node's program and its license */
async function pack(node: string, architecture: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const tree = join(out, "package");
  await rm(tree, { recursive: true, force: true });
  await cp(join(root, "src/agent/package"), tree, { recursive: true });
  const files = {
    "etc/bird/peerdeck-policy.conf": join(root, "docs/bird/peerdeck-policy.conf"),
    "usr/lib/peerdeck-agent/bird.conf": join(out, "bird.conf"),
    "usr/lib/peerdeck-agent/peerdeck-agent.mjs": join(out, "peerdeck-agent.mjs"),
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
  const values = { version, architecture, "installed-size": String(Math.ceil(size / 1024)) };
  let text = await readFile(control, "utf8");
  for (const [name, value] of Object.entries(values)) text = text.replace(`@${name}@`, value);
  await writeFile(control, text);
  const target = join(out, `peerdeck-agent_${version}_${architecture}.deb`);
  // The weakest level of xz takes three seconds where the strongest takes twenty, and 6 MB of 38 more.
  const compression = ["-Zxz", "-z1"];
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", ...compression, "--build", tree, target], {
    timeLimitMs: 300_000,
  });
  await rm(tree, { recursive: true });
  say(relative(process.cwd(), target));
}

async function hasDpkg(): Promise<boolean> {
  return runProcess("dpkg-deb", ["--version"]).then(
    () => true,
    () => false,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
