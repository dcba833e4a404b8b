import { rename, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import { type ConfigFiles, createConfigReader } from "./included-files.ts";

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await createFolder();
  root = join(folder, "bird.conf");
});

const write = (files: Readonly<Record<string, string>>) => writeFiles(folder, files);
const namesOf = (files: ConfigFiles) => Array.from(files.keys(), (path) => path.slice(folder.length + 1));
const read = () => createConfigReader(() => false)(root);

test.each([
  ["a relative path", 'include "local.conf";', ["local.conf"]],
  ["a path in a folder", 'include "sub/deep.conf";', ["sub/deep.conf"]],
  ["spaces and tabs around it", ' \t include \t "local.conf" \t ;', ["local.conf"]],
  ["an include without spaces", 'include"local.conf";', ["local.conf"]],
  ["two", 'include "local.conf";\nlog syslog all;\ninclude "other.conf";', ["local.conf", "other.conf"]],
  ["a star", 'include "sub/*.conf";', ["sub/a.conf", "sub/b.conf", "sub/deep.conf"]],
  ["a question mark", 'include "sub/?.conf";', ["sub/a.conf", "sub/b.conf"]],
  ["a class of characters", 'include "sub/[b-z].conf";', ["sub/b.conf"]],
  ["a comment", '# include "local.conf";', []],
  ["text before it on the line", 'log syslog all; include "local.conf";', []],
  ["no semicolon", 'include "local.conf"', []],
  ["a file that does not exist", 'include "missing.conf";', []],
  ["a folder", 'include "sub";', []],
])("%s", async (_, text, included) => {
  const others = ["local.conf", "other.conf", "sub/deep.conf", "sub/b.conf", "sub/a.conf"];
  await write({ "bird.conf": text, ...Object.fromEntries(others.map((name) => [name, ""])) });
  expect(namesOf(await read())).toEqual(["bird.conf", ...included]);
});

test("an absolute path, and includes of included files, relative to their own folder", async () => {
  await write({
    "bird.conf": `include "${folder}/sub/a.conf";`,
    "sub/a.conf": 'include "b.conf";',
    "sub/b.conf": "",
  });
  const files = await read();
  expect(namesOf(files)).toEqual(["bird.conf", "sub/a.conf", "sub/b.conf"]);
  expect(files.get(root)?.includes).toEqual([join(folder, "sub/a.conf")]);
});

test("files that include each other are read once", async () => {
  await write({ "bird.conf": 'include "a.conf";', "a.conf": 'include "bird.conf";\ninclude "a.conf";' });
  expect(namesOf(await read())).toEqual(["bird.conf", "a.conf"]);
});

test("without bird.conf there are no files", async () => {
  expect((await read()).size).toBe(0);
});

test("the digest changes with the content, and with nothing else", async () => {
  const reader = createConfigReader(() => false);
  const digest = async () => (await reader(root)).get(root)?.digest;
  await write({ "bird.conf": "router id 172.20.0.1;" });
  const before = await digest();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  await utimes(root, 1, 1);
  expect(await digest()).toBe(before);
  await write({ "bird.conf": "router id 172.20.0.2;" });
  const after = await digest();
  expect(after).not.toBe(before);
  await write({ "bird.conf": "router id 172.20.0.1;" });
  expect(await digest()).toBe(before);
});

test("a file counts as changed when it is renamed into its place, however old its content is", async () => {
  await write({ "bird.conf": "", "next.conf": "" });
  await utimes(join(folder, "next.conf"), 1, 1);
  const before = Date.now();
  await rename(join(folder, "next.conf"), root);
  const { ctimeMs } = await stat(root);
  const changedAt = (await read()).get(root)?.changedAt ?? 0;
  expect(changedAt).toBe(ctimeMs);
  // The kernel's clock for files is coarse.
  expect(changedAt).toBeGreaterThan(before - 100);
});

// `unloaded-changes.test.ts` has files that appear and vanish, and the agent's own files.
test("a link without a file is read when the file is there", async () => {
  const reader = createConfigReader(() => false);
  await write({ "bird.conf": 'include "local.conf";' });
  await symlink(join(folder, "elsewhere.conf"), join(folder, "local.conf"));
  expect(namesOf(await reader(root))).toEqual(["bird.conf"]);
  await write({ "elsewhere.conf": "" });
  expect(namesOf(await reader(root))).toEqual(["bird.conf", "local.conf"]);
});

test("a file that the agent may not read has a digest, and its includes are unknown", async () => {
  // A regular file whose reading fails, for root as well.
  await write({ "bird.conf": 'include "/proc/self/mem";' });
  const reader = createConfigReader(() => false);
  const file = (await reader(root)).get("/proc/self/mem");
  expect(file?.includes).toBeNull();
  expect(file?.digest).toMatch(/^\d+ 0 [\d.]+ [\d.]+$/);
});
