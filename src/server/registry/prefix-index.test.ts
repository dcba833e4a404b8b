import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { fileSystem } from "./file-access.ts";
import { createIndexReader, type PrefixIndex } from "./prefix-index.ts";

const start = 1_000_000;
let folder: string;
let now: number;

beforeEach(async () => {
  folder = await createFolder();
  now = start;
  await mkdir(join(folder, "data/inet6num"), { recursive: true });
});

function create(files = fileSystem) {
  return createIndexReader({ path: folder, isImmutable: false, files, now: () => now });
}

function put(name: string): Promise<void> {
  return writeFile(join(folder, "data/inet6num", name), "");
}

function listNames({ names }: PrefixIndex): readonly string[] {
  return [...names.values()].flat().toSorted();
}

test("an unchanged folder is read once a tick has passed since it was first seen, and then not again", async () => {
  await put("fd42:1::_48");
  const readIndex = create();
  const first = await readIndex("inet6num");
  now = start + 1_999;
  const second = await readIndex("inet6num");
  expect(second).not.toBe(first);
  now = start + 2_000;
  const third = await readIndex("inet6num");
  expect(third).not.toBe(second);
  expect(await readIndex("inet6num")).toBe(third);
  now = start + 1_000_000;
  expect(await readIndex("inet6num")).toBe(third);
  expect(listNames(third)).toEqual(["fd42:1::_48"]);
});

test("a change is visible even if the folder's modification time is set back", async () => {
  const readIndex = create();
  await readIndex("inet6num");
  const at = new Date("2026-01-01");
  await utimes(join(folder, "data/inet6num"), at, at);
  await readIndex("inet6num");
  now = start + 2_000;
  expect(listNames(await readIndex("inet6num"))).toEqual([]);
  await put("fd42:1::_48");
  await utimes(join(folder, "data/inet6num"), at, at);
  expect(listNames(await readIndex("inet6num"))).toEqual(["fd42:1::_48"]);
});

test("a replaced or deleted folder is visible at once", async () => {
  const readIndex = create();
  await readIndex("inet6num");
  now = start + 2_000;
  await readIndex("inet6num");
  await rename(join(folder, "data"), join(folder, "old"));
  expect(listNames(await readIndex("inet6num"))).toEqual([]);
  await mkdir(join(folder, "data/inet6num"), { recursive: true });
  await put("fd42:2::_48");
  expect(listNames(await readIndex("inet6num"))).toEqual(["fd42:2::_48"]);
});

test("a file in place of the folder has no names, and an unreadable folder is an error", async () => {
  await rm(join(folder, "data/inet6num"), { recursive: true });
  await writeFile(join(folder, "data/inet6num"), "");
  expect(listNames(await create()("inet6num"))).toEqual([]);
  const refused = Object.assign(new Error("refused"), { code: "EACCES" });
  const files = { ...fileSystem, listNames: () => Promise.reject(refused) };
  await expect(create(files)("inet6num")).rejects.toBe(refused);
});

test("of two names of one prefix the canonical one is the first", async () => {
  await put("FD42:1::_48");
  await put("fd42:1::_48");
  await put("fd42:1:0::_48");
  expect([...(await create()("inet6num")).names.values()]).toEqual([
    ["fd42:1::_48", "FD42:1::_48", "fd42:1:0::_48"],
  ]);
});
