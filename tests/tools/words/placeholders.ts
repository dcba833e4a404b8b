/** Words that an author meant to replace before a commit. */
import type { Finding } from "./banned-words.ts";

const markers = /\b(?:TODO|FIXME|XXX|TBD|[Ll]orem ipsum)\b/g;

/** The shape of a figure or name that a document still lacks: AGENT_COMMIT. */
const capitals = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** Keys, hashes and signatures in hexadecimal digits or base64, which contain a marker by chance. */
const keys = /[\w+/=-]{24,}/g;

const fencedBlocks = /^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:.*\n)*?[ \t]*\1[ \t]*$/gm;
const codeSpans = /(`+)(?:(?!\n\n)[^])+?\1/g;
const linkTargets = /\]\([^)\n]*\)|\bhttps?:\/\/\S+/g;

/**
 * Returns the forgotten placeholders of a text: the usual markers, and in documents also words of capital letters with
 * underscores. Documents name environment variables in code.
 */
export function findPlaceholders(fileName: string, text: string): readonly Finding[] {
  const inText = findMatches(text.replaceAll(keys, ""), markers);
  return fileName.endsWith(".md") ? [...inText, ...findMatches(removeCode(text), capitals)] : inText;
}

function findMatches(text: string, pattern: RegExp): readonly Finding[] {
  return text
    .split("\n")
    .flatMap((line, index) => Array.from(line.matchAll(pattern), ([word]) => ({ line: index + 1, word })));
}

/** Removes code and the targets of links, and leaves every line at its number. */
function removeCode(document: string): string {
  return [fencedBlocks, codeSpans, linkTargets].reduce(
    (rest, pattern) => rest.replaceAll(pattern, (removed) => removed.replaceAll(/[^\n]/g, " ")),
    document,
  );
}
