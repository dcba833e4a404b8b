/**
 * The addresses of servers that the operator has accepted on the node, each an empty file in a folder of the agent's state
 * folder. `peerdeck-agent accept-server` creates them, also while the agent runs, which deletes those that the server tells.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import { createFile, syncPath } from "../../system/durable-file.ts";

export interface AcceptedServers {
  /** Canonical. */
  readonly read: () => Promise<readonly string[]>;
  readonly forget: (addresses: readonly string[]) => Promise<void>;
}

export const noneAccepted: AcceptedServers = { read: async () => [], forget: async () => {} };

const folderIn = (stateDir: string) => join(stateDir, "accepted-servers");

export function createAcceptedServers(stateDir: string): AcceptedServers {
  const folder = folderIn(stateDir);
  return {
    read: async () => {
      try {
        return (await readdir(folder)).filter(isCanonical).toSorted();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    forget: async (addresses) => {
      if (addresses.length === 0) return;
      for (const address of addresses) await rm(join(folder, address), { force: true });
      await syncPath(folder);
    },
  };
}

/** Resolves when the address would survive a power cut. Returns whether it is new. */
export async function acceptServer(stateDir: string, address: string): Promise<boolean> {
  const folder = folderIn(stateDir);
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created !== undefined) await syncPath(stateDir);
  return createFile(join(folder, address), "");
}

/** False for a temporary file, too. */
function isCanonical(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && formatAddress(address) === text;
}
