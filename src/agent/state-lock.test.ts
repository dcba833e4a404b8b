import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockState, StateLocked } from "./state-lock.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a folder has one holder at a time, by whatever path it is reached", async () => {
  const other = `${folder}-link`;
  await symlink(folder, other);
  try {
    {
      await using _lock = await lockState(folder);
      await expect(lockState(other)).rejects.toThrow(StateLocked);
      await expect(lockState(folder)).rejects.toThrow(
        `Another agent runs on ${folder}. This one ends and has changed nothing; stop the other first ` +
          "(systemctl stop peerdeck-agent), or give this one a state_dir of its own.",
      );
    }
    await using _again = await lockState(other);
  } finally {
    await rm(other);
  }
});
