import { statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const neededBytes = 2 * 1024 ** 3;

/** The parent for folders of test databases: in memory where there is room, since no test database survives a crash. */
export function scratchFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Creates an empty folder there.
 *
 * @param onEnd registers its removal, as `onTestFinished` does
 */
export async function createScratchFolder(onEnd: (remove: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(scratchFolder(), "peerdeck-test-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
