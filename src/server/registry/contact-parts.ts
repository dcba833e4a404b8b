/** Splits a line that lists several contacts, such as `ada@example.org, irc: ada`, into its parts. */
import { isBareServiceName, namesAddressLikeService, namesService } from "./services.ts";

/** A part that belongs to no service other than mail. */
export interface ContactPart {
  /** Whether the part is declared as mail, or has no label. */
  readonly kind: "mail" | "unlabelled";
  /** The part without its label, in one line, with single blanks. */
  readonly text: string;
}

export interface ContactParts {
  readonly parts: readonly ContactPart[];
  /** Whether a service is named without an identifier, so that an address beside it may be one: `ada@example.org, XMPP`. */
  readonly isAmbiguous: boolean;
}

/** Commas, semicolons, line breaks, ` / `, ` or `; and after an address also a blank before `label:` or `@name`. */
const separator = /[,;\n]|\s[/|]\s|\s(?:and|or|und|oder|&)\s|(?<=[^\s@]@\S+)\s(?=@\S|[A-Za-z][\w.+-]*\s*:)/i;
/** Several blanks cost the expressions above and below quadratic time. */
const blanks = /[^\S\n]+/g;
/** The query of a `mailto:` URI, `?subject=hello there`. It may contain other addresses. */
const query = /(@[^\s?,;]+)\?[^\n]*/g;

/** Splits a value whose lines are trimmed. `initial` is the kind of a part without a label. */
export function splitContacts(value: string, initial: ContactPart["kind"]): ContactParts {
  let label: ContactPart["kind"] | Label = initial;
  let isAmbiguous = false;
  const parts: ContactPart[] = [];
  for (const given of value.replaceAll(blanks, " ").replaceAll(query, "$1").split(separator)) {
    const part = readPart(given.trim());
    if (part.label) label = part.label;
    else if (part.text === "") continue;
    if (label === "mail" || label === "unlabelled") {
      parts.push({ kind: label, text: part.text });
      continue;
    }
    isAmbiguous ||= part.text === "" || isBareServiceName(part.text);
    // Later parts may be identifiers of the same service, unless this one has another form: `telegram: @ada, …`.
    if (label === "service" && !containsAddress(part.text)) label = initial;
  }
  return { parts, isAmbiguous };
}

/** Whether a text contains something of the form `user@host`. */
export function containsAddress(text: string): boolean {
  return /[^\s@]@[^\s@]/.test(text);
}

/** What a label names: mail, or a service; the identifiers of some services look like mail addresses. */
type Label = "mail" | "service" | "address-like service";

const mailName = /^(?:mailto|(?:e-?)?mail)(?:[- ]?address)?$/i;
const mailBeside = /^(?:e-?)?mail (?=\S+@\S)|[[(] ?(?:e-?)?mail ?[\])]$/i;

function readPart(given: string): { readonly label: Label | null; readonly text: string } {
  const colon = given.indexOf(":");
  const name = given.slice(0, colon);
  // An address is not a label.
  if (colon > 0 && !/[@<>]/.test(name)) {
    const inner = readPart(given.slice(colon + 1).trim());
    return { label: inner.label ?? (namesMail(name) ? "mail" : toServiceLabel(name)), text: inner.text };
  }
  if (namesService(given)) return { label: toServiceLabel(given), text: given };
  const text = given.replace(mailBeside, "");
  return { label: text === given ? null : "mail", text };
}

/** Any label that does not name mail belongs to another service: `mail/xmpp` names mail, `foo` does not. */
function namesMail(name: string): boolean {
  return name.split(/[/&+|]/).some((each) => mailName.test(each.trim()));
}

function toServiceLabel(text: string): Label {
  return namesAddressLikeService(text) ? "address-like service" : "service";
}
