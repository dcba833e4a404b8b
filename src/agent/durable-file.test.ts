import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readReplaced, replaceFile } from "./durable-file.ts";

test("what a killed replacement left beside the file is gone once it is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-durable-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "state.json");
  expect(await readReplaced(path)).toBeNull();
  await replaceFile(path, "whole");
  await writeFile(`${path}.new`, "ha");
  expect(await readReplaced(path)).toBe("whole");
  expect(await readdir(folder)).toEqual(["state.json"]);
});
