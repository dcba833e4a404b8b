import { expect, test } from "vitest";
import { splitNames, parseRpsl, getValues } from "./objects.ts";

test("parses values, repeated keys and continuation lines", () => {
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
  expect(getValues(object, "e-mail", "contact", "phone")).toEqual([
    "ada@example.net",
    "ada@example.org",
    "irc: ada",
  ]);
});

test("a key named __proto__ is an ordinary key or ignored", () => {
  expect(getValues(parseRpsl("__proto__: x\nconstructor: y"), "__proto__", "constructor")).toEqual(["y"]);
});

test("a value may contain several names", () => {
  expect(splitNames(["A-MNT, B-MNT", "C-MNT\nD-MNT"])).toEqual(["A-MNT", "B-MNT", "C-MNT", "D-MNT"]);
});
