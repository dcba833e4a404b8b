/** Words that make the project's texts hard to read for people who learned English from manuals (CONTRIBUTING.md). */

const words = [
  "alike",
  "amiss",
  "anew",
  "anybody",
  "cure",
  "cured",
  "cures",
  "disown",
  "heed",
  "heeds",
  "lest",
  "mend",
  "mended",
  "mending",
  "mends",
  "nobody",
  "owes",
  "somebody",
  "stands",
  "whoever",
] as const;

const phrases = [
  "are owed",
  "are told",
  "goes with",
  "hear of",
  "heard of",
  "hears of",
  "is owed",
  "is told",
  "known of",
  "was told",
  "were told",
] as const;

const banned = new RegExp(String.raw`\b(${[...words, ...phrases].join("|")})\b`, "gi");

export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly word: string;
}

/** The banned words of a text, in identifiers too: `isMended`, `is-mended` and `is_mended` contain "mended". */
export function findBannedWords(text: string): readonly Finding[] {
  return text.split("\n").flatMap((line, index) => {
    const spaced = line.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_-]/g, " ");
    return Array.from(spaced.matchAll(banned), ([word]) => ({ line: index + 1, word: word.toLowerCase() }));
  });
}
