/**
 * Which values of `e-mail:` and `contact:` are mail addresses. A wrong guess sends the link that sets a
 * password to a stranger, so whatever is not plainly an address is left out.
 */
import { isMailAddress } from "../../../domain/mail-address.ts";
import { type RpslObject, valuesOf } from "./rpsl.ts";

const asMail = /^(?:mailto|e-?mail|mail)\s*:\s*(.+)$/i;
/** Services whose identifiers look like mail addresses: `user@jabber.example.org`. */
const messengerHost = /jabber|xmpp|^(?:matrix|irc|sip|voip|muc|conference|chat|mumble|telegram)$/i;

/** The mail addresses that an object names itself, `e-mail:` first. */
export function mailAddresses(object: RpslObject): readonly string[] {
  const direct = valuesOf(object, "e-mail").flatMap((value) => eachLine(value, declaredAddresses));
  const contacts = valuesOf(object, "contact").flatMap((value) => eachLine(value, contactAddresses));
  return [...direct, ...contacts];
}

function eachLine(value: string, read: (line: string) => readonly string[]): readonly string[] {
  return value.split("\n").flatMap((line) => read(line.trim()));
}

function contactAddresses(line: string): readonly string[] {
  if (asMail.test(line)) return declaredAddresses(line);
  return plainAddresses(line).filter((address) => !isMessenger(address));
}

/** What somebody calls mail is mail, whatever its host is called. */
function declaredAddresses(line: string): readonly string[] {
  return plainAddresses((asMail.exec(line)?.[1] ?? line).replace(/\?.*$/, ""));
}

/** All parts are addresses, or the line is something else: `xmpp: user@host` would look like one otherwise. */
function plainAddresses(text: string): readonly string[] {
  const named = /^[^<>:]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  const parts = named.split(/[\s,;]+/).filter((part) => part !== "");
  return parts.every(isMailAddress) ? parts : [];
}

function isMessenger(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return host.split(".").some((label) => messengerHost.test(label));
}

/** Each address once; the host's case makes no difference. */
export function uniqueAddresses(addresses: readonly string[]): readonly string[] {
  const byText = new Map<string, string>();
  for (const address of addresses) {
    const at = address.lastIndexOf("@");
    const text = `${address.slice(0, at)}@${address.slice(at + 1).toLowerCase()}`;
    byText.set(text, text);
  }
  return [...byText.values()];
}
