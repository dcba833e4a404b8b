import { rm, symlink } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { lockState, StateLockedError } from "./state-lock.ts";

let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

test("only one process can lock a folder, whatever path it uses", async () => {
  const other = `${folder}-link`;
  await symlink(folder, other);
  try {
    {
      await using _lock = await lockState(folder);
      await expect(lockState(other)).rejects.toThrow(StateLockedError);
      await expect(lockState(folder)).rejects.toThrow(
        `Another agent is running on ${folder}. This one exits without changes; stop the other first ` +
          "(systemctl stop peerdeck-agent), or give this one its own state_dir.",
      );
    }
    await using _again = await lockState(other);
  } finally {
    await rm(other);
  }
});
