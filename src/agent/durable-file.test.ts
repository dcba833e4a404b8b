import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDurableFile, replaceFile } from "./durable-file.ts";

test("reading removes the temporary file of an interrupted replacement", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-durable-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "state.json");
  expect(await readDurableFile(path)).toBeNull();
  await replaceFile(path, "whole");
  await writeFile(`${path}.new`, "ha");
  expect(await readDurableFile(path)).toBe("whole");
  expect(await readdir(folder)).toEqual(["state.json"]);
});
