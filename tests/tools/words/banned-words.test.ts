import { expect, test } from "vitest";
import { findBannedWords } from "./banned-words.ts";

test.each([
  ["in a sentence", "Load the page anew.", ["anew"]],
  ["with a capital letter", "Nobody is signed in.", ["nobody"]],
  ["in a camel-case name", "const isMended = true;", ["mended"]],
  ["in a kebab-case name", 'import "./owes-logout.ts";', ["owes"]],
  ["in a snake-case name", "select is_told from x", ["is told"]],
  ["as a phrase", "The page is told of it.", ["is told"]],
  ["not as a part of a longer word", "a secured amendment, standstill, homestead", []],
])("finds a banned word %s", (_, text, expected) => {
  expect(findBannedWords(text).map(({ word }) => word)).toEqual(expected);
});

test("returns the line of a banned word", () => {
  expect(findBannedWords("one\ntwo amiss\nthree")).toEqual([{ line: 2, word: "amiss" }]);
});
