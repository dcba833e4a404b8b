import { expect, test } from "vitest";
import { findLongLines } from "./long-lines.ts";

const a = (length: number) => "a".repeat(length);
const prose = (length: number) => `${length} characters in a line, at most 300`;
const cell = (length: number) => `${length} characters in a table cell, at most 160`;

test.each([
  ["prose", a(301), [prose(301)]],
  ["prose of the length that is allowed", a(300), []],
  ["a table cell", `| a | ${a(161)} |`, [cell(161)]],
  ["a table cell below a list item", `   | a | ${a(161)} |`, [cell(161)]],
  ["a table row of several short cells", `| ${a(160)} | ${a(160)} |`, []],
  ["a cell with a long target of a link", `| [a](${a(400)}) |`, []],
  ["the line below a table's head", `| ${"-".repeat(400)} | :${"-".repeat(400)} |`, []],
  ["code", `\`\`\`sh\n${a(400)}\n\`\`\`\n${a(301)}`, [prose(301)]],
])("finds long lines of %s", (_, text, expected) => {
  expect(findLongLines("docs/a.md", text).map(({ word }) => word)).toEqual(expected);
});

test.each([
  ["README.md", 1],
  ["docs/a.md", 1],
  ["docs/decisions/a.md", 1],
  ["src/a.ts", 0],
])("reads %s: %i", (fileName, findings) => {
  expect(findLongLines(fileName, a(301))).toHaveLength(findings);
});
