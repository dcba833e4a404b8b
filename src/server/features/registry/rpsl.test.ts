import { expect, test } from "vitest";
import { namesIn, parseRpsl, valuesOf } from "./rpsl.ts";

test("values start after the column, keys repeat, lines go on", () => {
  const object = parseRpsl(
    [
      "person:             Ada Example",
      "contact:            ada@example.org",
      "Contact:            irc: ada",
      "remarks:            first",
      "                    second",
      "+third",
      "+",
      "nic-hdl:            ADA-TEST",
      "e-mail:",
      "                    ada@example.net",
      "",
      "  belongs to nothing",
      "not an attribute",
      "source:DN42",
    ].join("\r\n"),
  );
  expect(Object.fromEntries(object)).toEqual({
    person: ["Ada Example"],
    contact: ["ada@example.org", "irc: ada"],
    remarks: ["first\nsecond\nthird"],
    "nic-hdl": ["ADA-TEST"],
    "e-mail": ["ada@example.net"],
    source: ["DN42"],
  });
  expect(valuesOf(object, "e-mail", "contact", "phone")).toEqual([
    "ada@example.net",
    "ada@example.org",
    "irc: ada",
  ]);
});

test("a key called __proto__ is a key like any other, or none", () => {
  expect(valuesOf(parseRpsl("__proto__: x\nconstructor: y"), "__proto__", "constructor")).toEqual(["y"]);
});

test("several names may stand in one value", () => {
  expect(namesIn(["A-MNT, B-MNT", "C-MNT\nD-MNT"])).toEqual(["A-MNT", "B-MNT", "C-MNT", "D-MNT"]);
});
