/** Stores where the running lab is, so that other processes of the same user find it. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { RunningLab } from "./lab.ts";
import { type HostInfo } from "./hosts/namespaces.ts";
import { LabError } from "./network.ts";

export interface LabInfo {
  /** The id of the lab's process. */
  readonly pid: number;
  readonly url: string;
  readonly folder: string;
  readonly hosts: readonly HostInfo[];
}

const file = join(tmpdir(), `peerdeck-lab-${userInfo().uid}.json`);

/** Rejects if a lab is running; removes the leftovers of a killed one. */
export async function assertNoRunningLab(): Promise<void> {
  const existing = await read();
  if (!existing) return;
  if (isRunning(existing.pid)) {
    throw new LabError(
      `A lab is already running in process ${existing.pid} at ${existing.url}. End it with Ctrl-C there.`,
    );
  }
  await rm(existing.folder, { recursive: true, force: true });
  await rm(file, { force: true });
}

export async function publishLab({ url, folder, hosts }: RunningLab): Promise<AsyncDisposable> {
  const hostInfos = Array.from(hosts.values(), ({ name, folder: home, pid }) => ({
    name,
    folder: home,
    pid,
  }));
  const info: LabInfo = { pid: process.pid, url, folder, hosts: hostInfos };
  await writeFile(file, JSON.stringify(info), { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

export async function findLab(): Promise<LabInfo> {
  const info = await read();
  if (!info || !isRunning(info.pid))
    throw new LabError("No lab is running. Start one in another terminal: npm run lab");
  return info;
}

export function findHost({ hosts }: LabInfo, name: string): HostInfo {
  const host = hosts.find((one) => one.name === name);
  if (!host)
    throw new LabError(`The lab has no host ${name}. It has ${hosts.map((one) => one.name).join(", ")}.`);
  return host;
}

async function read(): Promise<LabInfo | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as LabInfo);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
