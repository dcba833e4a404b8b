/** The npm package, with the npm and Node.js that people have. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { repository } from "../support/repository.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { waitFor } from "../support/wait-for.ts";
import { npmPairs, shellWith } from "./npm-pair.ts";
import { startNpm } from "./npm-start.ts";

const execute = promisify(execFile);

let parent = "";
let tarball = "";
beforeAll(async () => {
  // npm installs 200 MB, and /tmp may be in memory.
  parent = await mkdtemp("/var/tmp/peerdeck-npm-");
  tarball = await build("first");
});
afterAll(() => rm(parent, { recursive: true, force: true }));

/** Builds the package into a new folder, and returns its path. */
async function build(name: string): Promise<string> {
  const folder = path.join(parent, name);
  const env = { ...process.env, SOURCE_DATE_EPOCH: "1795000000" };
  await execute("npm", ["run", "build:npm", "--", folder], { cwd: repository, env });
  expect(await readdir(folder)).toEqual([
    expect.stringMatching(/^peerdeck-[\d.a-z-]+\+20261118\.\d{6}\.tgz$/),
  ]);
  return path.join(folder, (await readdir(folder)).join());
}

/** Creates npm's folders for installed packages. What npm has downloaded before stays in use. */
async function createNpmFolders(shell: Readonly<Record<string, string>>) {
  const { stdout } = await execute("npm", ["config", "get", "cache"], { env: shell });
  const downloads = path.join(stdout.trim(), "_cacache");
  await mkdir(downloads, { recursive: true });
  const npm = await mkdtemp(path.join(parent, "npm-"));
  await symlink(downloads, path.join(npm, "_cacache"));
  // Where packages are installed globally; some of npm's versions read this folder first.
  await mkdir(path.join(npm, "lib"));
  return { npm_config_cache: npm, npm_config_prefix: npm };
}

test("the same sources and time give the same bytes", async () => {
  const [first, second] = await Promise.all([tarball, await build("second")].map((file) => readFile(file)));
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
});

test.each(oneOfCommit(npmPairs))(
  "npx runs the demo with npm $npm on Node.js $node, until SIGTERM",
  async (pair) => {
    const shell = await shellWith(pair);
    const cwd = await mkdtemp(path.join(parent, "run-"));
    const port = await freePort();
    const env = { ...shell, ...(await createNpmFolders(shell)), PORT: String(port) };
    const command = ["npx", "--yes", "--prefer-offline", path.relative(cwd, tarball), "demo"] as const;
    await using running = await startNpm(command, { cwd, port, env });
    const page = await fetch(running.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="root"')]);
    const readiness = await fetch(`${running.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      200,
      expect.objectContaining({ status: "ok" }),
    ]);
    expect(await readdir(cwd)).toEqual(["data"]);

    running.kill("npm", "SIGTERM");
    await running.exited;
    await waitFor(async () => expect(await running.processes()).toEqual([]));
  },
);
