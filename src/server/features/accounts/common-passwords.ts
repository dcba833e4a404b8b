/**
 * Which passwords are tried first. Lists of leaked passwords are mostly a few thousand words and names in a
 * few costumes: digits or signs before and after, letters written as digits, twice the same, rows of the
 * keyboard. So a file holds the words, and rules undress a password until only a word is left, or nothing.
 */
import { readFileSync } from "node:fs";

/** How letters are written as digits and signs; one sign may stand for several letters. */
const disguises: ReadonlyArray<Readonly<Record<string, string>>> = [
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

/** Keys that lie next to each other, and the orders that everybody knows; each also counts backwards. */
const rows = [
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
const bothWays = rows.flatMap((row) => [row, Array.from(row).toReversed().join("")]);
const shortestRun = 3;
/** Shorter numbers are birthdays and telephone numbers. */
const shortestNumber = 12;
/** Nobody's list holds longer ones. */
const longest = 64;
const longestWord = 26;

/**
 * What has to be guessed beside what is known: a character of no word or run counts one, a digit or sign a
 * third, since eight digits are a date. Less than this in sum is no secret.
 */
const enough = 3;
const countedShare = 0.3;

/** The words that stand beside this file. */
export function readCommonPasswords(): (password: string) => boolean {
  return commonPasswords(readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8"));
}

/** Judges by a list of words, separated by white space; lines that start with `#` are comments. */
export function commonPasswords(list: string): (password: string) => boolean {
  const words = new Set(
    list
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .flatMap((line) => line.split(/\s+/))
      .filter((word) => word !== ""),
  );
  return (password) => {
    const text = password.normalize("NFKC").toLowerCase().trim();
    if (text.length > longest) return false;
    const unspaced = text.replaceAll(/\s/g, "");
    return (
      isWeakNumber(text) || [text, unspaced].some((form) => isRepetition(form) || isMadeOfKnown(form, words))
    );
  };
}

function isWeakNumber(text: string): boolean {
  return /^[0-9\s./+-]*$/.test(text) && text.replaceAll(/[^0-9]/g, "").length < shortestNumber;
}

/** "aaaaaaaa", "abcabcabc", and the same with an end that was cut off. */
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
 * At most two words, with runs of keys, years and numbers around them, and hardly anything else. Three words
 * are a sentence, which is what we ask for.
 */
function isMadeOfKnown(text: string, words: ReadonlySet<string>): boolean {
  const best: Split[] = [{ secret: 0, words: 0 }];
  for (let end = 1; end <= text.length; end += 1) {
    const splits = Array.from({ length: Math.min(end, longestWord) }, (_, index) => {
      const before = best[end - index - 1] ?? nothing;
      const part = judge(text.slice(end - index - 1, end), words);
      return { secret: before.secret + part.secret, words: before.words + part.words };
    });
    best.push(splits.reduce((least, split) => (split.secret < least.secret ? split : least), nothing));
  }
  const { secret, words: count } = best.at(-1) ?? nothing;
  return secret < enough && count <= 2;
}

interface Split {
  readonly secret: number;
  readonly words: number;
}

const nothing: Split = { secret: Number.POSITIVE_INFINITY, words: 0 };

function judge(part: string, words: ReadonlySet<string>): Split {
  if (isRun(part)) return { secret: 0, words: 0 };
  if (words.has(part) || disguises.some((disguise) => words.has(undisguise(part, disguise)))) {
    return { secret: 0, words: 1 };
  }
  if (part.length > 1) return nothing;
  return { secret: /\p{L}/u.test(part) ? 1 : countedShare, words: 0 };
}

function undisguise(text: string, disguise: Readonly<Record<string, string>>): string {
  return Array.from(text, (character) => disguise[character] ?? character).join("");
}

function isRun(part: string): boolean {
  if (part.length < shortestRun) return false;
  return bothWays.some((row) => row.includes(part)) || part === part.charAt(0).repeat(part.length);
}
