/** The registry clone that the server keeps current, with git repositories of this machine as remotes. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalLocks } from "#server/db/locks.ts";
import { createLog } from "#server/log.ts";
import { createRegistryClone, type RegistryClone } from "#server/registry/clone/registry-clone.ts";
import { createRegistry } from "#server/registry/registry.ts";
import { runAsRoot } from "../../support/root-command.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { createGitRemote, type GitRemote } from "../../support/git-remote.ts";

const start = Date.UTC(2026, 0, 20);
const dayMs = 86_400_000;
const timeoutMs = 20_000;
const objects = {
  "aut-num/AS4242420001": "admin-c: A-P",
  "aut-num/AS4242420002": "admin-c: A-P",
  "person/A-P": "e-mail: a@example.org",
};

let parts: AsyncDisposableStack;
let remote: GitRemote;
let folder: string;
let now: number;
let lines: string[];

beforeEach(async () => {
  parts = new AsyncDisposableStack();
  remote = parts.use(await createGitRemote(objects));
  const parent = await mkdtemp(join(tmpdir(), "peerdeck-clone-"));
  parts.defer(() => rm(parent, { recursive: true }));
  folder = join(parent, "registry");
  now = start;
  lines = [];
});

afterEach(() => parts.disposeAsync());

function openClone(url = remote.url, locks = createLocalLocks()): RegistryClone {
  const runExclusive = (work: () => Promise<void>) => locks.tryExclusive("registry", work);
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  return parts.use(createRegistryClone({ folder, url, runExclusive, clock: () => now, log }));
}

async function openUpdated(): Promise<RegistryClone> {
  const clone = openClone();
  await clone.update({ timeoutMs });
  return clone;
}

function open(clone: RegistryClone) {
  return createRegistry({ source: clone, maxAgeDays: 7, clock: () => now });
}

async function readAddresses(clone: RegistryClone): Promise<readonly string[] | null> {
  const contacts = await open(clone).findContacts("4242420001");
  return contacts.found ? contacts.addresses : null;
}

/** Serves a TCP port, as a git server that fails in its own way. */
async function serve(onConnection: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(onConnection);
  await once(server.listen(0, "127.0.0.1"), "listening");
  parts.defer(async () => {
    server.close();
    await once(server, "close");
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("before the first fetch there is no registry, and it counts as outdated", async () => {
  const clone = openClone();
  expect(await readAddresses(clone)).toBeNull();
  expect(await open(clone).readAge()).toEqual({ days: null, stale: true });
});

test("an update fetches the remote's branch, and the commit is then HEAD of the clone", async () => {
  const clone = await openUpdated();
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  const commit = await remote.commit({ "person/A-P": "e-mail: new@example.org" });
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  now += 1000;
  await clone.update({ timeoutMs });
  expect(await readAddresses(clone)).toEqual(["new@example.org"]);
  expect((await readFile(join(folder, "repository", "HEAD"), "utf8")).trim()).toBe(commit);
  expect(await clone.readState()).toMatchObject({
    commit,
    fetchedAt: now,
    attemptedAt: now,
    problem: null,
  });
});

test("a remote on this machine that belongs to another user is fetched, and its configuration runs nothing", async () => {
  const evidence = join(folder, "..", "ran");
  const command = `touch ${evidence}; exec "$@"`;
  await mkdir(join(remote.url, "hooks"), { recursive: true });
  await writeFile(join(remote.url, "hooks", "post-update"), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const settings = [
    "uploadpack.packObjectsHook",
    "core.fsmonitor",
    "core.sshCommand",
    "remote.origin.uploadpack",
  ];
  for (const [name, value] of [
    ...settings.map((setting) => [setting, `sh -c '${command}' --`] as const),
    ["remote.origin.url", `ssh://127.0.0.1${remote.url}`],
    ["remote.origin.promisor", "true"],
  ] as const)
    execFileSync("git", ["config", "--file", join(remote.url, "config"), name, value]);
  const { uid, gid } = userInfo();
  await runAsRoot("chown", "-R", "65534:65534", remote.url);
  parts.defer(() => runAsRoot("chown", "-R", `${uid}:${gid}`, remote.url));
  const linked = join(folder, "..", "linked.git");
  await symlink(remote.url, linked);
  for (const url of [remote.url, `file://${remote.url}`, remote.url.replace(/\.git$/, ""), linked]) {
    await rm(folder, { recursive: true, force: true });
    const clone = openClone(url);
    await clone.update({ timeoutMs });
    expect((await clone.readState()).problem).toBeNull();
    expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  }
  await expect(access(evidence)).rejects.toThrow("ENOENT");
});

test("the age counts from the last success, whatever later attempts do", async () => {
  const clone = await openUpdated();
  await remote.setReachable(false);
  now += 30 * dayMs;
  await clone.update({ timeoutMs });
  expect(await open(clone).readAge()).toEqual({ days: 30, stale: true });
  expect(await clone.readState()).toMatchObject({
    fetchedAt: start,
    attemptedAt: now,
    isRejected: false,
    problem: expect.stringMatching(/^fatal: .*does not appear to be a git repository/),
  });
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  await remote.setReachable(true);
  await clone.update({ timeoutMs });
  expect(await open(clone).readAge()).toEqual({ days: 0, stale: false });
});

test("a rewritten history is not used until the operator removes the clone", async () => {
  const clone = await openUpdated();
  const { commit } = await clone.readState();
  const rewritten = await remote.rewrite({ ...objects, "person/A-P": "e-mail: other@example.org" });
  now += dayMs;
  await clone.update({ timeoutMs });
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  const problem = `The remote's history does not contain the commit in use, ${commit}: it was rewritten to ${rewritten}, or the remote is older.`;
  expect(await clone.readState()).toMatchObject({ commit, fetchedAt: start, problem, isRejected: true });
  expect(lines.some((line) => line.includes('"level":50') && line.includes(problem))).toBe(true);
  await rm(folder, { recursive: true });
  await clone.update({ timeoutMs });
  expect(await readAddresses(clone)).toEqual(["other@example.org"]);
});

test.each([
  ["without AS objects", { "aut-num/AS4242420001": null, "aut-num/AS4242420002": null }],
  ["with less than half of the AS objects", { "aut-num/AS4242420002": null, "aut-num/AS4242420003": null }],
])("a commit %s is not used", async (_, changes) => {
  await remote.commit({ "aut-num/AS4242420003": "admin-c: A-P" });
  const clone = await openUpdated();
  const { commit } = await clone.readState();
  await remote.commit({ ...changes, "aut-num/AS4242420003": null, "person/A-P": "e-mail: x@example.org" });
  await clone.update({ timeoutMs });
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
  expect(await clone.readState()).toMatchObject({
    commit,
    problem: expect.stringMatching(/AS objects/),
  });
});

test("a remote that never responds is given up after the timeout, and its program ends", async () => {
  let hasClosed = Promise.withResolvers<void>();
  const at = await serve((socket) => {
    socket.on("error", () => undefined);
    socket.on("close", () => hasClosed.resolve());
    socket.resume();
  });
  const clone = openClone(`git://${at}/registry.git`);
  await clone.update({ timeoutMs: 300 });
  await hasClosed.promise;
  expect(await clone.readState()).toMatchObject({
    commit: null,
    problem: "git timed out after 0.3 s and was killed",
  });
  hasClosed = Promise.withResolvers();
  const updating = clone.update({ timeoutMs });
  await clone[Symbol.asyncDispose]();
  await updating;
});

test.each(oneOfCommit(["git", "http"]))(
  "a %s server that responds with garbage changes nothing",
  async (scheme) => {
    const clone = await openUpdated();
    const before = await clone.readState();
    const at = await serve((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end("\u001b[2J0000garbage\n\u0000".repeat(1000)));
    });
    now += dayMs;
    const misled = openClone(`${scheme}://${at}/registry.git`);
    await misled.update({ timeoutMs });
    const after = await misled.readState();
    expect(after).toMatchObject({ commit: before.commit, files: before.files, fetchedAt: start });
    expect(after.problem).toMatch(/^(?:fatal|error): [^\p{C}]{1,300}$/u);
    expect(await readAddresses(misled)).toEqual(["a@example.org"]);
  },
);

test("links, attributes and hooks of a repository have no effect", async () => {
  const planted = join(folder, "..", "planted");
  await writeFile(planted, "e-mail: outside@example.org");
  await rm(join(remote.workTree, "data/person/A-P"));
  await symlink(planted, join(remote.workTree, "data/person/A-P"));
  const attributes = "* text filter=lfs working-tree-encoding=UTF-16\n";
  await writeFile(join(remote.workTree, "data/.gitattributes"), attributes);
  await writeFile(join(remote.workTree, ".gitmodules"), '[submodule "x"]\n\tpath = x\n\turl = ext::false\n');
  await remote.commitAll();
  const clone = await openUpdated();
  expect(await readAddresses(clone)).toEqual([]);
  expect(await readdir(join(folder, "repository", "hooks")).catch(() => [])).toEqual([]);
  const { files } = await clone.readState();
  const autNum = await readFile(join(folder, files ?? "", "data/aut-num/AS4242420001"), "utf8");
  expect(autNum).toBe(objects["aut-num/AS4242420001"]);
});

test("without its repository the clone is missing, whatever files there are", async () => {
  const clone = await openUpdated();
  await rm(join(folder, "repository"), { recursive: true });
  expect(await readAddresses(clone)).toBeNull();
  expect(await open(clone).readAge()).toEqual({ days: null, stale: true });
});

test("files that were lost after a crash are written again at the next start", async () => {
  const clone = await openUpdated();
  const { files } = await clone.readState();
  await writeFile(join(folder, files ?? "", "data/person/A-P"), "");
  const restarted = openClone();
  await restarted.update({ timeoutMs });
  expect(await readAddresses(restarted)).toEqual(["a@example.org"]);
});

test("locks and packs that a killed git left do not stop the next update", async () => {
  const clone = await openUpdated();
  const repository = join(folder, "repository");
  const left = [
    "HEAD.lock",
    "refs/fetched.lock",
    "packed-refs.lock",
    "config.lock",
    "objects/pack/tmp_pack_x",
  ];
  for (const name of left) await writeFile(join(repository, name), "").catch(() => undefined);
  await remote.commit({ "person/A-P": "e-mail: new@example.org" });
  await clone.update({ timeoutMs });
  expect((await clone.readState()).problem).toBeNull();
  expect(await readAddresses(clone)).toEqual(["new@example.org"]);
  const names = await readdir(repository, { recursive: true });
  expect(names.filter((name) => /\.lock$|tmp_/.test(name))).toEqual([]);
});

test("every read during updates sees the objects of one commit", async () => {
  const clone = await openUpdated();
  const registry = open(clone);
  const updates = new AbortController();
  const found = new Set<string>();
  const reading = (async () => {
    while (!updates.signal.aborted) found.add(JSON.stringify(await registry.findContacts("4242420001")));
  })();
  for (const step of [1, 2]) {
    await remote.commit({
      "aut-num/AS4242420001": `admin-c: P${step}-P`,
      [`person/P${step}-P`]: `e-mail: p${step}@example.org`,
      [step === 1 ? "person/A-P" : `person/P${step - 1}-P`]: null,
    });
    await clone.update({ timeoutMs });
  }
  updates.abort();
  await reading;
  for (const each of found) expect(each).toMatch(/"addresses":\["(?:a|p[12])@example\.org"\]/);
  const folders = (await readdir(folder)).filter((name) => name.startsWith("files-"));
  expect(folders).toHaveLength(2);
});

test("while one server updates, another one on the same database does not", async () => {
  const locks = createLocalLocks();
  const clone = openClone(remote.url, locks);
  await locks.tryExclusive("registry", async () => {
    await clone.update({ timeoutMs });
    expect(await clone.readState()).toMatchObject({ attemptedAt: null });
  });
  await clone.update({ timeoutMs });
  expect(await clone.readState()).toMatchObject({ attemptedAt: start });
});

test("a damaged state file counts as no state", async () => {
  const clone = await openUpdated();
  await writeFile(join(folder, "state.json"), '{"files":"../..","fetchedAt":1}');
  expect(await open(clone).readAge()).toEqual({ days: null, stale: true });
  await clone.update({ timeoutMs });
  expect(await readAddresses(clone)).toEqual(["a@example.org"]);
});
