import { type AlteredLine, findAlteredLines, findMailAddresses } from "./mail-addresses.ts";
import { type ObjectKind, type ReadObject, splitNames, type RpslObject, getValues } from "./objects.ts";

/** A line with an altered mail address, and its object. */
export interface AlteredContact extends AlteredLine {
  /** "person/ADA-DN42" */
  readonly object: string;
}

export interface ContactAddresses {
  /** Mail addresses without duplicates; empty if there is no usable one. */
  readonly addresses: readonly string[];
  /** Where to restore an altered address, nearest to the AS; null if there is a usable one, or no altered one. */
  readonly altered: AlteredContact | null;
}

/** What was found in one or more objects. */
interface Found {
  /** Addresses in `e-mail:` lines. */
  readonly email: readonly string[];
  /** Addresses in `contact:` lines. Some are identifiers of a chat that look like mail addresses. */
  readonly contact: readonly string[];
  readonly altered: readonly AlteredContact[];
}

/** Names of objects that were read, so that references in a circle end. */
type Seen = Set<string>;

/** The registry's own maintainer occurs on many objects and represents none of their holders. */
export const registryMaintainer = "DN42-MNT";

/** A longer list is a mistake or an attack. */
const maxAddresses = 8;

/** The objects that may name contacts, the nearest to the AS first. */
const tiers: ReadonlyArray<(read: ReadObject, autNum: RpslObject) => Promise<Found>> = [
  (read, autNum) => readHandles(read, autNum, ["admin-c"]),
  (read, autNum) => readHandles(read, autNum, ["tech-c"]),
  (read, autNum) => readOwners(read, "mntner", readMaintainers(autNum)),
  (read, autNum) => readOwners(read, "organisation", readHandleNames(autNum, "org")),
];

/**
 * Returns all mail addresses of the first tier that has any. The `contact:` lines of a tier count only if none of its
 * objects has a usable `e-mail:` line.
 */
export async function findContactAddresses(read: ReadObject, autNum: RpslObject): Promise<ContactAddresses> {
  const altered: AlteredContact[] = [];
  for (const tier of tiers) {
    const found = await tier(read, autNum);
    const addresses = removeDuplicates(choose(found));
    if (addresses.length > 0) return { addresses: addresses.slice(0, maxAddresses), altered: null };
    altered.push(...found.altered);
  }
  return { addresses: [], altered: altered[0] ?? null };
}

function choose({ email, contact }: Found): readonly string[] {
  return email.length > 0 ? email : contact;
}

/** Returns the maintainers of an object, without the registry's own. */
export function readMaintainers(object: RpslObject): readonly string[] {
  return readHandleNames(object, "mnt-by").filter((name) => name !== registryMaintainer);
}

/** Returns the names of referenced objects, in upper case like their file names. */
function readHandleNames(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return splitNames(getValues(object, ...keys)).map((name) => name.toUpperCase());
}

/** Reads maintainers or organisations: their own addresses, and those of their contacts. */
async function readOwners(
  read: ReadObject,
  kind: "mntner" | "organisation",
  names: readonly string[],
): Promise<Found> {
  const found: Found[] = [];
  for (const name of names) {
    const object = await read(kind, name);
    if (!object) continue;
    found.push(findInObject(kind, name, object), await readHandles(read, object, ["admin-c", "tech-c"]));
  }
  return mergeFound(found);
}

async function readHandles(
  read: ReadObject,
  object: RpslObject,
  keys: readonly string[],
  seen: Seen = new Set(),
): Promise<Found> {
  const found: Found[] = [];
  for (const name of readHandleNames(object, ...keys)) {
    if (name === registryMaintainer || seen.has(name)) continue;
    seen.add(name);
    found.push(await readHandle(read, name, seen));
  }
  return mergeFound(found);
}

/** Reads a person or a role. A role usually has no `e-mail:` of its own; then its admin-c is read. */
async function readHandle(read: ReadObject, name: string, seen: Seen): Promise<Found> {
  const person = await read("person", name);
  if (person) return findInObject("person", name, person);
  const role = await read("role", name);
  if (!role) return mergeFound([]);
  const own = findInObject("role", name, role);
  if (own.email.length > 0) return own;
  const admins = await readHandles(read, role, ["admin-c"], seen);
  return admins.email.length === 0 && own.contact.length > 0 ? own : mergeFound([own, admins]);
}

function findInObject(kind: ObjectKind, name: string, object: RpslObject): Found {
  return {
    email: findMailAddresses(object, "e-mail"),
    contact: findMailAddresses(object, "contact"),
    altered: findAlteredLines(object).map(({ key, position, count }) => ({
      object: `${kind}/${name}`,
      key,
      position,
      count,
    })),
  };
}

function mergeFound(found: readonly Found[]): Found {
  return {
    email: found.flatMap(({ email }) => email),
    contact: found.flatMap(({ contact }) => contact),
    altered: found.flatMap(({ altered }) => altered),
  };
}

/** Removes duplicates; the host is case-insensitive. */
export function removeDuplicates(addresses: readonly string[]): readonly string[] {
  const byText = new Map<string, string>();
  for (const address of addresses) {
    const at = address.lastIndexOf("@");
    const text = `${address.slice(0, at)}@${address.slice(at + 1).toLowerCase()}`;
    byText.set(text, text);
  }
  return [...byText.values()];
}
