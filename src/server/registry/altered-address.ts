/** Recognises mail addresses that were altered to defeat robots. They are never restored for use: a guess may be wrong. */
import { isMailAddress } from "../../domain/mail-address.ts";
import { removeIdentifiers } from "./services.ts";

/** Phrases that people insert into an address, in any case and place. */
const insertedPhrase =
  /(?:no|not|not[._-]?for|dont|anti|stop|de)[._-]?spam|spam[._-]?(?:free|me[._-]?not)|(?:remove|delete|strip)[._-]?(?:this|me|it)/i;
/** Words that people insert between dots or hyphens. Inside a longer word they mean nothing: `remover`. */
const insertedWords = new Set(["invalid", "remove", "removed", "delete"]);
/** Words that people insert in upper case, to stand out from an address in lower case: `adaREMOVE@example.org`. */
const shoutedWords = new Set(["INVALID", "REMOVE", "REMOVED", "DELETE", "SPAM", "JUNK"]);
const writtenDotInLocalPart = /[._-]dot[._-].*@/i;

/** Whether an address contains a marker such as `NOSPAM`, so that mail to it would reach another host or mailbox. */
export function isAlteredAddress(address: string): boolean {
  return (
    insertedPhrase.test(address) ||
    writtenDotInLocalPart.test(address) ||
    address.split(/[@._+-]/).some((word) => insertedWords.has(word.toLowerCase())) ||
    (/[a-z]/.test(address) && address.split(/[^A-Z]/).some((word) => shoutedWords.has(word)))
  );
}

/** An instruction beside an address: `adax@example.org (remove the x)`. */
const instruction = /\b(?:remove|delete|strip|replace|omit)\b/i;

/** Whether the words beside the addresses of a text say how to change them. */
export function containsInstruction(text: string): boolean {
  return instruction.test(removeIdentifiers(text));
}

const writtenAt = / ?[[({<] ?(?:at|ät|a|@) ?[\])}>] ?| at | ?@ ?|[_-]at[_-]|＠/gi;
const writtenDot = / ?[[({<] ?(?:dot|punkt|\.) ?[\])}>] ?| (?:dot|punkt) |[_-]dot[_-]/gi;

/**
 * Returns the addresses that a text with single blanks describes in words, such as `ada (at) example dot org`. They only
 * tell that the text means a mail address.
 */
export function findDescribedAddresses(text: string): readonly string[] {
  const literal = new Set(splitWords(text));
  const restored = text.replaceAll(writtenAt, "@").replaceAll(writtenDot, ".");
  return splitWords(restored).filter((word) => !literal.has(word) && isMailAddress(word));
}

function splitWords(text: string): readonly string[] {
  return text.split(/[ <>]/);
}
