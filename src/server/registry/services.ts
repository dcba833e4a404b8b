/** Services other than mail whose identifiers occur in `contact:` lines. */

/** Services whose identifiers look like mail addresses: `user@host`. */
const addressLikeName = /\b(?:xmpp|jabber|jid|sips?|voip)\b/i;
const otherName =
  /\b(?:ircs?|matrix|telegram|twitter|discord|mumble|teamspeak|skype|icq|msn|gtalk|hangouts|facetime|imessage|threema|whatsapp|mastodon|fediverse|github|gitlab)\b/i;

/** Labels of hosts that serve such identifiers: `user@jabber.example.org`. */
const serviceLabel =
  /jabber|xmpp|^(?:matrix|irc|sip|voip|muc|conference|chat|mumble|telegram|mastodon|pleroma|misskey)$/i;
/** Hosts of networks on which people give `nick@network`, and of well-known XMPP and Mastodon servers. */
const serviceHost =
  /(?:^|\.)(?:hackint\.(?:org|eu)|freenode\.net|oftc\.net|rizon\.net|efnet\.org|quakenet\.org|conversations\.im|mastodon\.social|chaos\.social)$/i;

/** Words beside a service's name that are no identifier: `also on XMPP`. */
const fillers = /\b(?:also|and|as|at|on|only|ok|same|too|via|well|with|works)\b/gi;

/** Whether a text names such a service. Words that contain `@` are not read, since they are identifiers. */
export function namesService(text: string): boolean {
  const words = removeIdentifiers(text);
  return addressLikeName.test(words) || otherName.test(words);
}

/** Whether a text names a service whose identifiers look like mail addresses. */
export function namesAddressLikeService(text: string): boolean {
  return addressLikeName.test(removeIdentifiers(text));
}

/** Whether a text names a service and contains no identifier. */
export function isBareServiceName(text: string): boolean {
  if (text.includes("@") || !namesService(text)) return false;
  const rest = text
    .replaceAll(new RegExp(addressLikeName, "gi"), "")
    .replaceAll(new RegExp(otherName, "gi"), "")
    .replaceAll(fillers, "");
  return !/[\p{L}\p{N}]/u.test(rest);
}

/** Whether an address is probably an identifier of such a service. */
export function isServiceAddress(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return serviceHost.test(host) || host.split(".").some((label) => serviceLabel.test(label));
}

/** Returns a text without the words that contain `@`. */
export function removeIdentifiers(text: string): string {
  return text
    .split(/\s/)
    .filter((word) => !word.includes("@"))
    .join(" ");
}
