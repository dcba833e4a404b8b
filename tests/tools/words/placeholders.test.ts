import { expect, test } from "vitest";
import { findPlaceholders } from "./placeholders.ts";

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

test("returns the line of a placeholder", () => {
  expect(findPlaceholders("a.md", "```\none\n```\n`two\nthree` RUN_FIGURES\nTBD")).toEqual([
    { line: 6, word: "TBD" },
    { line: 5, word: "RUN_FIGURES" },
  ]);
});
