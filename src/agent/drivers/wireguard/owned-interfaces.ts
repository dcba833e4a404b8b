/**
 * The names of the interfaces that the agent created; it never changes any other interface.
 *
 * Invariant: a name is on the list, synced, before its interface is created, and is removed from the list
 * after its interface is gone.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { readDurableFile, replaceFile } from "#system/durable-file.ts";

export interface OwnedInterfaces {
  readonly names: () => ReadonlySet<string>;
  readonly add: (names: readonly string[]) => Promise<void>;
  readonly remove: (names: readonly string[]) => Promise<void>;
}

/** The name of the file in the agent's folder. */
export const ownedInterfacesFile = "interfaces.json";

const schema = v.array(v.pipe(v.string(), v.regex(/^dn42_[0-9]{1,10}$/)));

export async function openOwnedInterfaces(path: string): Promise<OwnedInterfaces> {
  let names: ReadonlySet<string> = new Set(await load(path));
  const save = async (next: ReadonlySet<string>) => {
    if (next.size === names.size && [...next].every((name) => names.has(name))) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (next.size > 0) await replaceFile(path, `${JSON.stringify([...next])}\n`);
    else await rm(path, { force: true });
    names = next;
  };
  return {
    names: () => names,
    add: (added) => save(new Set([...names, ...added])),
    remove: (removed) => save(new Set([...names].filter((name) => !removed.includes(name)))),
  };
}

async function load(path: string): Promise<readonly string[]> {
  try {
    const text = await readDurableFile(path);
    return text === null ? [] : v.parse(schema, JSON.parse(text));
  } catch (error) {
    throw new Error(`Cannot read ${path}, the list of the agent's own interfaces.`, { cause: error });
  }
}

/** Reads the names beside an agent that may be changing the list; none if there is no list yet. */
export async function readOwnedInterfaces(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  return v.parse(schema, JSON.parse(text));
}
