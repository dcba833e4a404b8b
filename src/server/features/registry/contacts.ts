import { mailAddresses, uniqueAddresses } from "./mail-contacts.ts";
import type { ReadObject } from "./objects.ts";
import { namesIn, type RpslObject, valuesOf } from "./rpsl.ts";

/** The registry's own maintainer stands on objects of many and speaks for none of them. */
export const registryMaintainer = "DN42-MNT";

/** More addresses than a person has; a list that long is a mistake or an attack. */
const mostAddresses = 8;

/** Where to look, the nearest to the AS first. */
const tiers: ReadonlyArray<(read: ReadObject, autNum: RpslObject) => Promise<readonly string[]>> = [
  (read, autNum) => handles(read, autNum, ["admin-c"]),
  (read, autNum) => handles(read, autNum, ["tech-c"]),
  async (read, autNum) => {
    const objects = maintainersOf(autNum).map((name) => read("mntner", name));
    return ownAndHandles(read, await Promise.all(objects));
  },
  async (read, autNum) => {
    const objects = handleNames(autNum, "org").map((name) => read("organisation", name));
    return ownAndHandles(read, await Promise.all(objects));
  },
];

/** All mail addresses of the first tier that has any; empty when none has. */
export async function contactsOf(read: ReadObject, autNum: RpslObject): Promise<readonly string[]> {
  for (const tier of tiers) {
    const addresses = uniqueAddresses(await tier(read, autNum));
    if (addresses.length > 0) return addresses.slice(0, mostAddresses);
  }
  return [];
}

/** Who maintains an object, without the registry's own maintainer. */
export function maintainersOf(object: RpslObject): readonly string[] {
  return handleNames(object, "mnt-by").filter((name) => name !== registryMaintainer);
}

/** Names of other objects, in upper case as their files are called. */
function handleNames(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return namesIn(valuesOf(object, ...keys)).map((name) => name.toUpperCase());
}

async function ownAndHandles(
  read: ReadObject,
  objects: ReadonlyArray<RpslObject | null>,
): Promise<readonly string[]> {
  const found = objects.filter((object) => object !== null);
  const behind = await Promise.all(found.map((object) => handles(read, object, ["admin-c", "tech-c"])));
  return [...found.flatMap(mailAddresses), ...behind.flat()];
}

async function handles(
  read: ReadObject,
  object: RpslObject,
  keys: readonly string[],
  seen: Set<string> = new Set(),
): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (const name of handleNames(object, ...keys)) {
    if (name === registryMaintainer || seen.has(name)) continue;
    seen.add(name);
    addresses.push(...(await addressesOfHandle(read, name, seen)));
  }
  return addresses;
}

/** A person's own addresses. A role has as a rule none of its own: those of its admin-c. */
async function addressesOfHandle(
  read: ReadObject,
  name: string,
  seen: Set<string>,
): Promise<readonly string[]> {
  const person = await read("person", name);
  if (person) return mailAddresses(person);
  const role = await read("role", name);
  if (!role) return [];
  const own = mailAddresses(role);
  return own.length > 0 ? own : handles(read, role, ["admin-c"], seen);
}
