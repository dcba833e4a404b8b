import { expect, test } from "vitest";
import { getValues, parseRpsl, splitComments, splitNames } from "./objects.ts";

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

test("a key may be followed by blanks, and a line may be a comment", () => {
  const object = parseRpsl(
    "e-mail : ada@example.org\n# comment\n  noc@example.org\nmnt-by\t:A-MNT\nno key: x",
  );
  expect(Object.fromEntries(object)).toEqual({
    "e-mail": ["ada@example.org\nnoc@example.org"],
    "mnt-by": ["A-MNT"],
  });
});

test("a line that contains another kind of line break is ignored, with its continuation", () => {
  const object = parseRpsl(
    "e-mail: ada@example.org\u2028\n  noc@example.org\nmnt-by: A-MNT\n  B-MNT\rx\n  C-MNT\nsource: TEST",
  );
  expect(Object.fromEntries(object)).toEqual({ "mnt-by": ["A-MNT"], source: ["TEST"] });
});

test("a value keeps its comments, and is returned without them", () => {
  const object = parseRpsl("mnt-by: A-MNT # B-MNT\n  C-MNT#D-MNT\norigin: # AS1\nremarks: irc #dn42");
  expect(object.get("mnt-by")).toEqual(["A-MNT # B-MNT\nC-MNT#D-MNT"]);
  expect(getValues(object, "mnt-by", "origin", "remarks")).toEqual(["A-MNT\nC-MNT", "irc"]);
  expect(getValues(parseRpsl("origin: # AS1\n  AS2\n  # AS3"), "origin")).toEqual(["AS2"]);
  expect(splitComments("A-MNT # B-MNT\n\u2028# \u2028C-MNT\nD-MNT")).toEqual({
    text: "A-MNT\n\nD-MNT",
    comments: "# B-MNT\n# \u2028C-MNT\n",
  });
});

test("a key named __proto__ is an ordinary key or ignored", () => {
  expect(getValues(parseRpsl("__proto__: x\nconstructor: y"), "__proto__", "constructor")).toEqual(["y"]);
});

test("a value may contain several names", () => {
  expect(splitNames(["A-MNT, B-MNT,", "C-MNT\nD-MNT"])).toEqual(["A-MNT", "B-MNT", "C-MNT", "D-MNT"]);
});
