import { stat } from "node:fs/promises";

/**
 * Runs a job as the owner of a folder, with the owner's groups, if this process is root; afterwards the
 * process is root again.
 */
export async function runAsOwner<T>(folder: string, job: () => Promise<T>): Promise<T> {
  const { uid, gid } = await stat(folder);
  const { getuid, getgroups, setgroups, setegid, seteuid } = process;
  // Missing in Node's type definitions.
  const { initgroups } = process as { initgroups?: (user: number, group: number) => void };
  const canSwitchUser = getuid && getgroups && setgroups && initgroups && setegid && seteuid;
  if (!canSwitchUser || getuid() !== 0 || uid === 0) return job();
  const groups = getgroups();
  initgroups(uid, gid);
  setegid(gid);
  seteuid(uid);
  try {
    return await job();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
  }
}
