import { expect, test } from "vitest";
import { findBannedWords } from "./banned-words.ts";
import { findLongLines } from "./long-lines.ts";
import { findPlaceholders } from "./placeholders.ts";

test.each([
  ["in a sentence", "Load the page anew.", ["anew"]],
  ["with a capital letter", "Nobody is signed in.", ["nobody"]],
  ["in a camel-case name", "const isMended = true;", ["mended"]],
  ["in a kebab-case name", 'import "./owes-logout.ts";', ["owes"]],
  ["in a snake-case name", "select is_told from x", ["is told"]],
  ["not as a part of a longer word", "a secured amendment, standstill, homestead", []],
])("finds a banned word %s", (_, text, expected) => {
  expect(findBannedWords(text).map(({ word }) => word)).toEqual(expected);
});

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

test("reads the documents only", () => {
  const names = ["README.md", "docs/a.md", "docs/decisions/a.md", "src/a.ts"];
  expect(names.map((name) => findLongLines(name, a(301)).length)).toEqual([1, 1, 1, 0]);
});

const wordsIn = (fileName: string, text: string) => findPlaceholders(fileName, text).map(({ word }) => word);

test.each([
  ["in a comment", "// TODO: later", ["TODO"]],
  ["directly after a slash", "//FIXME", ["FIXME"]],
  ["in a text", '"XXX peerings"', ["XXX"]],
  ["in a table", "| agent | TBD |", ["TBD"]],
  ["of filler text", "<p>Lorem ipsum dolor</p>", ["Lorem ipsum"]],
  ["not as a part of a longer word", "mktemp -d XXXXXX; TODOS", []],
  ["not in lower case", "the vitest status todo", []],
  ["not in a key", "jBFoFgYW+XXX/W2fP1DD9V5bCvo4M0VAbHsyxlFZXGk=", []],
])("finds a marker %s", (_, text, expected) => {
  expect(wordsIn("a.ts", text)).toEqual(expected);
  expect(wordsIn("a.md", text)).toEqual(expected);
});

test.each([
  ["in a table", "| agent | AGENT_COMMIT | AGENT_FIGURES |", ["AGENT_COMMIT", "AGENT_FIGURES"]],
  ["in the text of a link", "[RUN_2](results.md)", ["RUN_2"]],
  ["between code spans", "`a` RUN_FIGURES `b`", ["RUN_FIGURES"]],
  ["after a fenced block", "```sh\na\n```\n\nRUN_FIGURES\n\n```sh\nb\n```", ["RUN_FIGURES"]],
  ["after a backtick without a partner", "a ` b\n\nRUN_FIGURES `", ["RUN_FIGURES"]],
  ["not in a code span", "Set `DATA_DIR=/a` or ``DATA_DIR ` b``.", []],
  ["not in a code span of two lines", "`DATA_DIR=/a\nPEERDECK_SECRET=b`", []],
  ["not in a fenced block", "1. Run\n\n   ```sh\n   DATA_DIR=/a\n\n   PEERDECK_DEMO=1\n   ```\n", []],
  ["not in the target of a link", "[a](docs/A_B.md) <https://example.net/A_B>", []],
  ["not without an underscore", "WireGuard, BIRD, IPv6, AS4242420000", []],
])("finds a word of capital letters with underscores %s", (_, text, expected) => {
  expect(wordsIn("a.md", text)).toEqual(expected);
});

test("accepts constants outside of documents", () => {
  expect(wordsIn("a.ts", "process.env.DATA_DIR; // DATA_DIR")).toEqual([]);
});

test("returns the line of a word", () => {
  expect(findBannedWords("one\ntwo amiss\nthree")).toEqual([{ line: 2, word: "amiss" }]);
  expect(findPlaceholders("a.md", "```\none\n```\n`two\nthree` RUN_FIGURES\nTBD")).toEqual([
    { line: 6, word: "TBD" },
    { line: 5, word: "RUN_FIGURES" },
  ]);
});
