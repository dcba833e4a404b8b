import {
  findAlteredLines,
  findMailAddresses,
  findMailDomain,
  findUnreachableLines,
  type MailKey,
  type ObjectLine,
} from "./mail-addresses.ts";
import { type ObjectKind, type ReadObject, splitNames, type RpslObject, getValues } from "./objects.ts";

/** A line with a mail address, and its object. */
export interface ContactLine extends ObjectLine {
  /** "person/ADA-DN42" */
  readonly object: string;
}

/** A line with an address that the mail server cannot reach. */
export interface UnreachableContact extends ContactLine {
  /** The domain of the profile that the address is in. */
  readonly domain: string;
}

export interface ContactAddresses {
  /** Mail addresses without duplicates; empty if there is no usable one. */
  readonly addresses: readonly string[];
  /** Where to restore an altered address, nearest to the AS; null if there is a usable one, or no altered one. */
  readonly altered: ContactLine | null;
  /** The same for an address that the mail server cannot reach. */
  readonly unreachable: UnreachableContact | null;
}

/** What was found in one or more objects. */
interface Found {
  /** Addresses in `e-mail:` lines. */
  readonly email: readonly string[];
  /** Addresses in `contact:` lines. Some are identifiers of a chat that look like mail addresses. */
  readonly contact: readonly string[];
  readonly altered: readonly ContactLine[];
  readonly unreachable: readonly UnreachableContact[];
}

/** How contacts are read. */
export interface ContactReader {
  readonly read: ReadObject;
  /** Domains that the mail server cannot reach. Addresses in them are not used. */
  readonly unreachableDomains: readonly string[];
  /** Maintainers that keep the registry itself, besides its own, in upper case. */
  readonly registryMaintainers: readonly string[];
}

/** Names of objects that were read, so that references in a circle end. */
type Seen = Set<string>;

/** The registry's own maintainer occurs on many objects and represents none of their holders. */
export const registryMaintainer = "DN42-MNT";

/** Few have more. Anyone can request a link, so each address more is a mail more that a stranger can cause. */
const maxAddresses = 4;
/** The same of the objects that one object names, and of all that are read for an AS. */
const maxNames = 50;
const maxObjects = 200;

/** The objects that may name contacts, the nearest to the AS first. */
const tiers: ReadonlyArray<(reader: ContactReader, autNum: RpslObject) => Promise<Found>> = [
  (reader, autNum) => readHandles(reader, autNum, ["admin-c"]),
  (reader, autNum) => readHandles(reader, autNum, ["tech-c"]),
  (reader, autNum) => readOwners(reader, "mntner", readMaintainers(autNum, reader.registryMaintainers)),
  (reader, autNum) => readOwners(reader, "organisation", readHandleNames(autNum, "org")),
];

/**
 * Returns all mail addresses of the first tier that has any. The `contact:` lines of a tier count only if none of its
 * objects has a usable `e-mail:` line.
 */
export async function findContactAddresses(
  { read, ...options }: ContactReader,
  autNum: RpslObject,
): Promise<ContactAddresses> {
  const unused: Found[] = [];
  const reader = { read: limitReads(read), ...options };
  for (const tier of tiers) {
    const found = await tier(reader, autNum);
    const addresses = removeDuplicates(choose(found));
    if (addresses.length > 0) {
      return { addresses: addresses.slice(0, maxAddresses), altered: null, unreachable: null };
    }
    unused.push(found);
  }
  const { altered, unreachable } = mergeFound(unused);
  return { addresses: [], altered: altered[0] ?? null, unreachable: unreachable[0] ?? null };
}

/** Returns a reader to which every object is absent after the first ones: each may name many others. */
function limitReads(read: ReadObject): ReadObject {
  let count = 0;
  return async (kind, name) => {
    count += 1;
    return count > maxObjects ? null : read(kind, name);
  };
}

function choose({ email, contact }: Found): readonly string[] {
  return email.length > 0 ? email : contact;
}

/** Returns the maintainers of an object in upper case, without the registry's own and others that keep the registry itself. */
export function readMaintainers(
  object: RpslObject,
  registryMaintainers: readonly string[] = [],
): readonly string[] {
  return readHandleNames(object, "mnt-by").filter(
    (name) => name !== registryMaintainer && !registryMaintainers.includes(name),
  );
}

/** Returns the names of referenced objects, in upper case like their file names. */
function readHandleNames(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return splitNames(getValues(object, ...keys)).map((name) => name.toUpperCase());
}

/** Returns the first of the names, each once. */
function takeNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].slice(0, maxNames);
}

/** Reads maintainers or organisations: their own addresses, and those of their contacts. */
async function readOwners(
  reader: ContactReader,
  kind: "mntner" | "organisation",
  names: readonly string[],
): Promise<Found> {
  const found: Found[] = [];
  for (const name of takeNames(names)) {
    const object = await reader.read(kind, name);
    if (!object) continue;
    found.push(
      findInObject(reader, { kind, name, object }),
      await readHandles(reader, object, ["admin-c", "tech-c"]),
    );
  }
  return mergeFound(found);
}

async function readHandles(
  reader: ContactReader,
  object: RpslObject,
  keys: readonly string[],
  seen: Seen = new Set(),
): Promise<Found> {
  const found: Found[] = [];
  for (const name of takeNames(readHandleNames(object, ...keys))) {
    const keepsRegistry = name === registryMaintainer || reader.registryMaintainers.includes(name);
    if (keepsRegistry || seen.has(name)) continue;
    seen.add(name);
    found.push(await readHandle(reader, name, seen));
  }
  return mergeFound(found);
}

/** Reads a person or a role. A role usually has no `e-mail:` of its own; then its admin-c is read. */
async function readHandle(reader: ContactReader, name: string, seen: Seen): Promise<Found> {
  const person = await reader.read("person", name);
  if (person) return findInObject(reader, { kind: "person", name, object: person });
  const role = await reader.read("role", name);
  if (!role) return mergeFound([]);
  const own = findInObject(reader, { kind: "role", name, object: role });
  if (own.email.length > 0) return own;
  const admins = await readHandles(reader, role, ["admin-c"], seen);
  return admins.email.length === 0 && own.contact.length > 0 ? own : mergeFound([own, admins]);
}

interface NamedObject {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly object: RpslObject;
}

function findInObject({ unreachableDomains }: ContactReader, { kind, name, object }: NamedObject): Found {
  const findReachable = (key: MailKey) =>
    findMailAddresses(object, key).filter((address) => findMailDomain(address, unreachableDomains) === null);
  const place = `${kind}/${name}`;
  return {
    email: findReachable("e-mail"),
    contact: findReachable("contact"),
    altered: findAlteredLines(object).map((line) => Object.assign({ object: place }, line)),
    unreachable: findUnreachableLines(object, unreachableDomains).map((line) =>
      Object.assign({ object: place }, line),
    ),
  };
}

function mergeFound(found: readonly Found[]): Found {
  return {
    email: found.flatMap(({ email }) => email),
    contact: found.flatMap(({ contact }) => contact),
    altered: found.flatMap(({ altered }) => altered),
    unreachable: found.flatMap(({ unreachable }) => unreachable),
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
