/** Lines of documents that are hard to read, and hard to compare when they change. */
import type { Finding } from "./banned-words.ts";

const maxProse = 300;
const maxCell = 160;

/** Documents at the top level and in `docs`. */
const documents = /^(docs\/(decisions\/)?)?[^/]+\.md$/;

/** Returns the lines of prose over 300 characters and the table cells over 160. Code and the targets of links do not count. */
export function findLongLines(fileName: string, text: string): readonly Finding[] {
  if (!documents.test(fileName)) return [];
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? [] : describe(line).map((word) => ({ line: index + 1, word }));
  });
}

function describe(line: string): readonly string[] {
  if (!/^\s*\|/.test(line))
    return line.length > maxProse ? [`${line.length} characters in a line, at most ${maxProse}`] : [];
  return line
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell.length > maxCell && !/^:?-+:?$/.test(cell))
    .map((cell) => `${cell.length} characters in a table cell, at most ${maxCell}`);
}
