/** Splits a line that lists several contacts, such as `ada@example.org, irc: ada`, into its parts. */
import { isBareServiceName, namesAddressLikeService, namesService } from "./services.ts";

export interface ContactPart {
  /** Whether the part is declared as mail, belongs to another service, or has no label. */
  readonly kind: "mail" | "service" | "unlabelled";
  /** The part without its label. */
  readonly text: string;
}

export interface ContactParts {
  readonly parts: readonly ContactPart[];
  /** Whether a service is named without an identifier, so that an address beside it may be one: `ada@example.org, XMPP`. */
  readonly isAmbiguous: boolean;
}

/** Commas, semicolons, line breaks, ` / `, ` or `; and after an address also a blank before `label:` or `@name`. */
const separator =
  /[,;\n]+|\s+[/|]\s+|\s+(?:and|or|und|oder|&)\s+|(?<=[^\s@]@\S+)\s+(?=@\S|[A-Za-z][\w.+-]*\s*:)/i;
/** Several blanks cost the expressions above and below quadratic time. */
const blanks = /[^\S\n]+/g;
/** The query of a `mailto:` URI, `?subject=hello there`. It may contain other addresses. */
const query = /(@[^\s?,;]+)\?[^\n]*/g;

/** Splits a value. `initial` is the kind of a part without a label. */
export function splitContacts(value: string, initial: "mail" | "unlabelled"): ContactParts {
  let label: Label = { kind: initial, isAddressLike: false };
  let isAmbiguous = false;
  const parts: ContactPart[] = [];
  for (const given of value.replaceAll(blanks, " ").replaceAll(query, "$1").split(separator)) {
    const part = readPart(given.trim());
    if (part.label) label = part.label;
    else if (part.text === "") continue;
    parts.push({ kind: label.kind, text: part.text });
    if (label.kind !== "service") continue;
    isAmbiguous ||= part.text === "" || isBareServiceName(part.text);
    // Later parts may be identifiers of the same service, unless this one has another form: `telegram: @ada, …`.
    if (!label.isAddressLike && !containsAddress(part.text)) label = { kind: initial, isAddressLike: false };
  }
  return { parts, isAmbiguous };
}

/** Whether a text contains something of the form `user@host`. */
export function containsAddress(text: string): boolean {
  return /[^\s@]@[^\s@]/.test(text);
}

interface Label {
  readonly kind: ContactPart["kind"];
  /** Whether the identifiers of the service look like mail addresses. */
  readonly isAddressLike: boolean;
}

/** The text before the first colon; an address is not a label. */
const labelled = /^([^:@<>]+):(.*)$/s;
const mailName = /^(?:mailto|e-?mail|mail)(?:[- ]?address)?$/i;
const mailBeside = /^(?:e-?mail|mail)\s+(?=\S+@\S)|\s*[[(]\s*(?:e-?mail|mail)\s*[\])]$/i;

function readPart(given: string): { readonly label: Label | null; readonly text: string } {
  const [, name, rest = ""] = labelled.exec(given) ?? [];
  if (name !== undefined) {
    const inner = readPart(rest.trim());
    return { label: inner.label ?? toLabel(name), text: inner.text };
  }
  if (namesService(given)) {
    return { label: { kind: "service", isAddressLike: namesAddressLikeService(given) }, text: given };
  }
  const text = given.replace(mailBeside, "");
  return { label: text === given ? null : { kind: "mail", isAddressLike: false }, text };
}

/** Any label that does not name mail belongs to another service: `mail/xmpp` names mail, `foo` does not. */
function toLabel(name: string): Label {
  const isMail = name.split(/[/&+|]/).some((each) => mailName.test(each.trim()));
  return isMail
    ? { kind: "mail", isAddressLike: false }
    : { kind: "service", isAddressLike: namesAddressLikeService(name) };
}
