/** Texts of others (agents, participants, the registry) on a terminal, which obeys control characters. */

/** Control, format, private and unassigned characters, lone surrogates, and the line ends of Unicode. */
const hidden = /[\p{C}\u2028\u2029]/gu;

/** Writes each character that is not visible as its code, "\u{1b}", so that the text is one line and shows all that it has. */
export function toPrintableLine(text: string): string {
  return text.replaceAll(hidden, toCode);
}

/** The same for a text of several lines: line ends and tabs stay. */
export function toPrintableText(text: string): string {
  return text.replaceAll(hidden, (character) => (/[\n\t]/.test(character) ? character : toCode(character)));
}

function toCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
