import { open, readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFile, readDurableFile, replaceFile, replaceLink } from "./durable-file.ts";
import { createFolder } from "./fixtures/create-folder.ts";

test("reading removes the temporary file of an interrupted replacement", async () => {
  const folder = await createFolder();
  const path = join(folder, "state.json");
  expect(await readDurableFile(path)).toBeNull();
  await replaceFile(path, "whole");
  await writeFile(`${path}.new`, "ha");
  expect(await readDurableFile(path)).toBe("whole");
  expect(await readdir(folder)).toEqual(["state.json"]);
});

test("of several programs that create a file, the first one decides", async () => {
  const folder = await createFolder();
  const path = join(folder, "key");
  await Promise.all(["a", "b", "c"].map((text) => createFile(path, text.repeat(1000))));
  const text = await readFile(path, "utf8");
  expect(text).toMatch(/^(?:a{1000}|b{1000}|c{1000})$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await createFile(path, "later");
  expect(await readFile(path, "utf8")).toBe(text);
  expect(await readdir(folder)).toEqual(["key"]);
});

/** Records the paths of all syncs. */
async function recordSyncs(folder: string): Promise<readonly string[]> {
  const synced: string[] = [];
  await using handle = await open(folder, "r");
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  const sync = Reflect.get(prototype, "sync");
  const spy = vi.spyOn(prototype, "sync").mockImplementation(async function record(this: typeof handle) {
    synced.push(await readlink(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return synced;
}

test("the content is synced before the file has its name, and the folder after it", async () => {
  const folder = await createFolder();
  const syncs = await recordSyncs(folder);
  await replaceFile(join(folder, "state"), "whole");
  expect(syncs).toEqual([join(folder, "state.new"), folder]);
  await createFile(join(folder, "key"), "secret");
  expect(syncs.slice(2)).toEqual([expect.stringMatching(/\/key\.[0-9a-f-]+\.new$/), folder]);
  await replaceLink(join(folder, "current"), "a");
  expect(syncs.slice(4)).toEqual([folder]);
});
