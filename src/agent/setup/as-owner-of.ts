import { stat } from "node:fs/promises";

/**
 * Does a work as the user who owns a folder, with that user's groups, where this process is root; then is root again.
 */
export async function asOwnerOf<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const { uid, gid } = await stat(folder);
  const { getuid, getgroups, setgroups, setegid, seteuid } = process;
  // Missing in Node's types.
  const { initgroups } = process as { initgroups?: (user: number, group: number) => void };
  const may = getuid && getgroups && setgroups && initgroups && setegid && seteuid;
  if (!may || getuid() !== 0 || uid === 0) return work();
  const groups = getgroups();
  initgroups(uid, gid);
  setegid(gid);
  seteuid(uid);
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
  }
}
