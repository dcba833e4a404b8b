import { isMailAddress } from "../../domain/mail-address.ts";
import { type ReadObject, splitNames, type RpslObject, getValues } from "./objects.ts";

/** The registry's own maintainer occurs on many objects and represents none of their holders. */
export const registryMaintainer = "DN42-MNT";

/** A longer list is a mistake or an attack. */
const maxAddresses = 8;

/** The objects that may name contacts, the nearest to the AS first. */
const tiers: ReadonlyArray<(read: ReadObject, autNum: RpslObject) => Promise<readonly string[]>> = [
  (read, autNum) => readHandleAddresses(read, autNum, ["admin-c"]),
  (read, autNum) => readHandleAddresses(read, autNum, ["tech-c"]),
  async (read, autNum) => {
    const objects = readMaintainers(autNum).map((name) => read("mntner", name));
    return readOwnAndHandleAddresses(read, await Promise.all(objects));
  },
  async (read, autNum) => {
    const objects = readHandleNames(autNum, "org").map((name) => read("organisation", name));
    return readOwnAndHandleAddresses(read, await Promise.all(objects));
  },
];

/** Returns all mail addresses of the first tier that has any. */
export async function findContactAddresses(read: ReadObject, autNum: RpslObject): Promise<readonly string[]> {
  for (const tier of tiers) {
    const addresses = removeDuplicates(await tier(read, autNum));
    if (addresses.length > 0) return addresses.slice(0, maxAddresses);
  }
  return [];
}

/** Returns the maintainers of an object, without the registry's own. */
export function readMaintainers(object: RpslObject): readonly string[] {
  return readHandleNames(object, "mnt-by").filter((name) => name !== registryMaintainer);
}

/** Returns the names of referenced objects, in upper case like their file names. */
function readHandleNames(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return splitNames(getValues(object, ...keys)).map((name) => name.toUpperCase());
}

async function readOwnAndHandleAddresses(
  read: ReadObject,
  objects: ReadonlyArray<RpslObject | null>,
): Promise<readonly string[]> {
  const found = objects.filter((object) => object !== null);
  const behind = await Promise.all(
    found.map((object) => readHandleAddresses(read, object, ["admin-c", "tech-c"])),
  );
  return [...found.flatMap(findMailAddresses), ...behind.flat()];
}

async function readHandleAddresses(
  read: ReadObject,
  object: RpslObject,
  keys: readonly string[],
  seen: Set<string> = new Set(),
): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (const name of readHandleNames(object, ...keys)) {
    if (name === registryMaintainer || seen.has(name)) continue;
    seen.add(name);
    addresses.push(...(await readAddressesOfHandle(read, name, seen)));
  }
  return addresses;
}

/** Returns a person's addresses. A role usually has none of its own; then those of its admin-c. */
async function readAddressesOfHandle(
  read: ReadObject,
  name: string,
  seen: Set<string>,
): Promise<readonly string[]> {
  const person = await read("person", name);
  if (person) return findMailAddresses(person);
  const role = await read("role", name);
  if (!role) return [];
  const own = findMailAddresses(role);
  return own.length > 0 ? own : readHandleAddresses(read, role, ["admin-c"], seen);
}

const asMail = /^(?:mailto|e-?mail|mail)\s*:\s*(.+)$/i;
/** Hosts of services whose identifiers look like mail addresses: `user@jabber.example.org`. */
const messengerHost = /jabber|xmpp|^(?:matrix|irc|sip|voip|muc|conference|chat|mumble|telegram)$/i;

/**
 * Returns the mail addresses in an object's values of `e-mail:` and then of `contact:`. A wrong guess would send the
 * link that sets a password to a stranger, so a value that is not clearly a mail address is ignored.
 */
export function findMailAddresses(object: RpslObject): readonly string[] {
  const direct = getValues(object, "e-mail").flatMap((value) => eachLine(value, declaredAddresses));
  const contacts = getValues(object, "contact").flatMap((value) => eachLine(value, contactAddresses));
  return [...direct, ...contacts];
}

function eachLine(value: string, read: (line: string) => readonly string[]): readonly string[] {
  return value.split("\n").flatMap((line) => read(line.trim()));
}

function contactAddresses(line: string): readonly string[] {
  if (asMail.test(line)) return declaredAddresses(line);
  return plainAddresses(line).filter((address) => !isMessenger(address));
}

/** A value that is declared as mail counts as mail, whatever its host is named. */
function declaredAddresses(line: string): readonly string[] {
  return plainAddresses((asMail.exec(line)?.[1] ?? line).replace(/\?.*$/, ""));
}

/** Returns nothing unless all parts of the line are addresses: `xmpp: user@host` is not a mail address. */
function plainAddresses(text: string): readonly string[] {
  const named = /^[^<>:]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  const parts = named.split(/[\s,;]+/).filter((part) => part !== "");
  return parts.every(isMailAddress) ? parts : [];
}

function isMessenger(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return host.split(".").some((label) => messengerHost.test(label));
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
