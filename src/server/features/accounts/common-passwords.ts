/**
 * Detects common passwords. Lists of leaked passwords consist mostly of a few thousand words and names in few
 * variations: digits or symbols around them, digits for letters, repetitions, rows of the keyboard. The check strips
 * these variations and looks the rest up in a list of words, a list of leaked passwords and the provider's names.
 */
import { readFileSync } from "node:fs";
import { dictionary } from "@zxcvbn-ts/language-common";

/** Common substitutions of letters; a character may replace several letters. */
const substitutions: ReadonlyArray<Readonly<Record<string, string>>> = [
  {
    "0": "o",
    "1": "i",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "8": "b",
    "@": "a",
    $: "s",
    "!": "i",
    "+": "t",
  },
  {
    "0": "o",
    "1": "l",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "9": "g",
    "@": "a",
    $: "s",
    "!": "l",
    "|": "l",
  },
];

/** Rows of adjacent keys and well-known sequences, also matched backwards. */
const sequences = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "`1234567890-=",
  "!@#$%^&*()_+",
  "qwertyuiop[]",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl;'",
  "qsdfghjklm",
  "zxcvbnm,./",
  "yxcvbnm",
  "1qaz",
  "2wsx",
  "3edc",
  "4rfv",
  "5tgb",
  "6yhn",
  "7ujm",
  "qaz",
  "wsx",
  "edc",
  "rfv",
  "tgb",
  "yhn",
  "!qaz",
  "@wsx",
  "147",
  "258",
  "369",
  "159",
  "357",
  "147258369",
  "741852963",
  "789456123",
  "369258147",
  "963852741",
];
const allSequences = sequences.flatMap((row) => [row, Array.from(row).toReversed().join("")]);
const minSequenceLength = 3;
/** Shorter numbers are dates and telephone numbers. */
const minNumberLength = 12;
/** Lists of leaked passwords contain no longer ones. Also bounds the work. */
const maxLength = 64;
const maxWordLength = 26;

/**
 * The minimum score of a strong password. A letter outside known words and sequences counts one; a digit or symbol
 * counts about a third, since eight digits are a date.
 */
const minScore = 3;
const symbolScore = 0.3;

/** Returns whether a password is among those that attackers try first. */
export type IsCommonPassword = (password: string) => boolean;

/** Shorter leaked passwords would be found as parts of passphrases; as whole passwords they are too short anyway. */
const minLeakedLength = 8;
/** Shorter parts of a name are too frequent in passphrases. */
const minNamePartLength = 3;

/**
 * Reads the words from the file beside this one, and the leaked passwords.
 *
 * @param names texts that everyone associates with this installation, such as the provider's name and domain
 */
export function loadCommonPasswordCheck(names: readonly string[]): IsCommonPassword {
  const words = readWords(readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8"));
  const leaked = dictionary["passwords-common"].filter(({ length }) => length >= minLeakedLength);
  return createCommonPasswordCheck(new Set([...words, ...leaked, ...names.flatMap(listNameParts)]));
}

/** The words of a list are separated by white space. Lines that start with `#` are comments. */
function readWords(list: string): readonly string[] {
  const lines = list.split("\n").filter((line) => !line.startsWith("#"));
  return lines.flatMap((line) => line.split(/\s+/)).filter((word) => word !== "");
}

/** "Example Net" → "examplenet", "example", "net". */
function listNameParts(name: string): readonly string[] {
  const text = normalize(name).replaceAll(/\s/g, "");
  const parts = normalize(name).split(/[^\p{L}\p{N}]+/u);
  return [text, ...parts].filter((part) => part.length >= minNamePartLength);
}

function normalize(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
}

function createCommonPasswordCheck(words: ReadonlySet<string>): IsCommonPassword {
  return (password) => {
    const text = normalize(password);
    if (text.length > maxLength) return false;
    const unspaced = text.replaceAll(/\s/g, "");
    return (
      words.has(unspaced) ||
      isWeakNumber(text) ||
      [text, unspaced].some((form) => isRepetition(form) || isMadeOfKnownParts(form, words))
    );
  };
}

function isWeakNumber(text: string): boolean {
  return /^[0-9\s./+-]*$/.test(text) && text.replaceAll(/[^0-9]/g, "").length < minNumberLength;
}

/** "aaaaaaaa", "abcabcabc", also with an incomplete last repetition. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= Math.min(4, text.length / 2); length += 1) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  }
  const half = text.slice(0, text.length / 2);
  return half.length < 8 && text === half.repeat(2);
}

/**
 * Whether a text consists of at most two words, sequences and numbers, and hardly anything else. Three words are a
 * passphrase, which is what the error message recommends.
 */
function isMadeOfKnownParts(text: string, words: ReadonlySet<string>): boolean {
  const best: Split[] = [{ score: 0, words: 0 }];
  for (let end = 1; end <= text.length; end += 1) {
    const splits = Array.from({ length: Math.min(end, maxWordLength) }, (_, index) => {
      const before = best[end - index - 1] ?? impossible;
      const part = measurePart(text.slice(end - index - 1, end), words);
      return { score: before.score + part.score, words: before.words + part.words };
    });
    best.push(splits.reduce((least, split) => (isSimpler(split, least) ? split : least), impossible));
  }
  const { score, words: count } = best.at(-1) ?? impossible;
  return score < minScore && count <= 2;
}

interface Split {
  readonly score: number;
  readonly words: number;
}

/** If the scores are equal, the split with fewer words is simpler: "barbarian" is one word, not "bar", "bar" and "ian". */
function isSimpler(one: Split, other: Split): boolean {
  return one.score === other.score ? one.words < other.words : one.score < other.score;
}

const impossible: Split = { score: Number.POSITIVE_INFINITY, words: 0 };

function measurePart(part: string, words: ReadonlySet<string>): Split {
  if (isSequence(part)) return { score: 0, words: 0 };
  if (words.has(part) || substitutions.some((letters) => words.has(undoSubstitutions(part, letters)))) {
    return { score: 0, words: 1 };
  }
  if (part.length > 1) return impossible;
  return { score: /\p{L}/u.test(part) ? 1 : symbolScore, words: 0 };
}

function undoSubstitutions(text: string, letters: Readonly<Record<string, string>>): string {
  return Array.from(text, (character) => letters[character] ?? character).join("");
}

function isSequence(part: string): boolean {
  if (part.length < minSequenceLength) return false;
  return allSequences.some((row) => row.includes(part)) || part === part.charAt(0).repeat(part.length);
}
