/** Counts code points, without surrounding blanks: an emoji is one character. */
export function countCharacters(text: string): number {
  return Array.from(text.trim()).length;
}

/** Control characters, line and paragraph separators, and characters that change the direction of text. */
export const invisible = /[\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
