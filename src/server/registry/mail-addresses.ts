/**
 * Finds the mail addresses in an object's `e-mail:` and `contact:` lines.
 *
 * A wrong guess would send the link that sets a password to a stranger. So a part of a line counts only if it is
 * clearly a mail address: identifiers of other services, unclear parts and altered addresses are not used.
 */
import { findDomain } from "../../domain/host-name.ts";
import { isMailAddress } from "../../domain/mail-address.ts";
import { containsInstruction, findDescribedAddresses, isAlteredAddress } from "./altered-address.ts";
import { containsAddress, type ContactPart, splitContacts } from "./contact-parts.ts";
import { type RpslObject, splitComments } from "./objects.ts";
import { isServiceAddress, namesService } from "./services.ts";

/** The keys of lines that may contain mail addresses. */
export type MailKey = "e-mail" | "contact";

/** A line of an object. */
export interface ObjectLine {
  readonly key: MailKey;
  /** Counted from 1 among the object's lines with this key. */
  readonly position: number;
  /** The number of the object's lines with this key. */
  readonly count: number;
}

interface FoundAddresses {
  readonly usable: readonly string[];
  readonly hasAltered: boolean;
}

/** A longer value is a mistake or an attack. */
const maxValueLength = 1000;

/** Returns the usable mail addresses in the object's lines with this key. */
export function findMailAddresses(object: RpslObject, key: MailKey): readonly string[] {
  return readLines(object, key).flatMap(({ found }) => found.usable);
}

/** Returns the lines with a mail address that is altered to defeat robots. */
export function findAlteredLines(object: RpslObject): readonly ObjectLine[] {
  return readAllLines(object).flatMap(({ line, found }) => (found.hasAltered ? [line] : []));
}

/** Returns the lines with a usable mail address in one of these domains, with the domain. */
export function findUnreachableLines(
  object: RpslObject,
  domains: readonly string[],
): ReadonlyArray<ObjectLine & { readonly domain: string }> {
  return readAllLines(object).flatMap(({ line, found }) =>
    found.usable.flatMap((address) => {
      const domain = findMailDomain(address, domains);
      return domain === null ? [] : [{ ...line, domain }];
    }),
  );
}

/** Returns the domain of these that a mail address is in; null for none. */
export function findMailDomain(address: string, domains: readonly string[]): string | null {
  return findDomain(address.slice(address.lastIndexOf("@") + 1).toLowerCase(), domains);
}

function readAllLines(object: RpslObject) {
  return (["e-mail", "contact"] as const).flatMap((key) => readLines(object, key));
}

function readLines(object: RpslObject, key: MailKey) {
  const lines = object.get(key)?.map((value, index, values) => ({
    line: { key, position: index + 1, count: values.length },
    found: readValue(value, key),
  }));
  return lines ?? [];
}

function readValue(value: string, key: MailKey): FoundAddresses {
  if (value.length > maxValueLength) return { usable: [], hasAltered: false };
  const { text, comments } = splitComments(value);
  const { parts, isAmbiguous } = splitContacts(text, key === "e-mail" ? "mail" : "unlabelled");
  // An unlabelled address may belong to a service that is named beside it: `ada@example.org # XMPP`.
  const isUnclear = isAmbiguous || namesService(comments);
  const mailParts = parts.filter(({ kind }) => kind === "mail" || !isUnclear);
  if (containsInstruction(`${text} ${comments}`)) {
    return { usable: [], hasAltered: mailParts.some((part) => containsAddress(part.text)) };
  }
  const found = mailParts.map(readPart);
  return {
    usable: found.flatMap(({ usable }) => usable),
    hasAltered: found.some(({ hasAltered }) => hasAltered),
  };
}

function readPart({ kind, text }: ContactPart): FoundAddresses {
  const isMail = (address: string) => kind === "mail" || !isServiceAddress(address);
  const addresses = readAddresses(text).filter(isMail);
  return {
    usable: addresses.filter((address) => !isAlteredAddress(address)),
    hasAltered: addresses.some(isAlteredAddress) || findDescribedAddresses(text).some(isMail),
  };
}

/** Returns the addresses of a part that consists of addresses only, or is `Name <address>`. */
function readAddresses(text: string): readonly string[] {
  const named = /^[^<>:@]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  const words = named
    .trim()
    .split(" ")
    // A final dot is the root of the DNS.
    .map((word) => word.replace(/\.$/, ""));
  return words.every(isClearAddress) ? words : [];
}

/** Whether a word is an address without a service in front of it: `xmpp/ada@example.org`. */
function isClearAddress(word: string): boolean {
  return isMailAddress(word) && !/[/=|]/.test(word);
}
