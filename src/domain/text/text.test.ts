import { expect, test } from "vitest";
import { formatCount } from "./plural.ts";
import { joinWords } from "./join-words.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_440, "1,440"],
  [1_234_567, "1,234,567"],
  [0.5, "0.5"],
])("%d is %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b, and c"],
])("%j is %j", (words, text) => {
  expect(joinWords(words)).toBe(text);
});
