/** Where the lab that runs on this machine can be found by another process of the same user. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { RunningLab } from "./lab.ts";
import { type HostPlace } from "./namespaces.ts";
import { LabError } from "./network.ts";

export interface LabPlace {
  /** Of the process that holds the lab. */
  readonly pid: number;
  readonly url: string;
  readonly folder: string;
  readonly hosts: readonly HostPlace[];
}

const file = join(tmpdir(), `peerdeck-lab-${userInfo().uid}.json`);

/** Rejects where a lab runs; removes what one that was killed left. */
export async function assertNoneRuns(): Promise<void> {
  const left = await read();
  if (!left) return;
  if (lives(left.pid)) {
    throw new LabError(
      `A lab runs already, in process ${left.pid}, at ${left.url}. End it with Ctrl-C there.`,
    );
  }
  await rm(left.folder, { recursive: true, force: true });
  await rm(file, { force: true });
}

export async function announce({ url, folder, hosts }: RunningLab): Promise<AsyncDisposable> {
  const places = Array.from(hosts.values(), ({ name, folder: home, pid }) => ({ name, folder: home, pid }));
  const place: LabPlace = { pid: process.pid, url, folder, hosts: places };
  await writeFile(file, JSON.stringify(place), { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

export async function findLab(): Promise<LabPlace> {
  const place = await read();
  if (!place || !lives(place.pid))
    throw new LabError("No lab runs. Start one in another terminal: npm run lab");
  return place;
}

export function hostOf({ hosts }: LabPlace, name: string): HostPlace {
  const host = hosts.find((one) => one.name === name);
  if (!host)
    throw new LabError(`The lab has no host ${name}. It has ${hosts.map((one) => one.name).join(", ")}.`);
  return host;
}

async function read(): Promise<LabPlace | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as LabPlace);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
