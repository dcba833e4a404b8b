import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

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
