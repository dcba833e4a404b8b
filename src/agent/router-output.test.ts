import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { factKinds, maxOutputLength } from "../contract/agent/findings.ts";
import { toOutput } from "./router-output.ts";

test("control characters and whitespace become single spaces", () => {
  expect(toOutput("\u001b[2J line\r\n two \u0000\uD800 \u202Eend \n")).toBe("[2J line two \uFFFD end");
  expect(toOutput(" \t\n")).toBe("");
});

test("a long text is cut, but never inside a surrogate pair", () => {
  const longest = "x".repeat(maxOutputLength);
  expect(toOutput(longest)).toBe(longest);
  expect(toOutput(`${longest}x`)).toBe(`${"x".repeat(maxOutputLength - 1)}…`);
  expect(toOutput(`${"x".repeat(maxOutputLength - 2)}😀😀`)).toBe(`${"x".repeat(maxOutputLength - 2)}…`);
});

test("any text becomes valid output, which is not changed again", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom("\uD800", "\uDC00", "\u0000", "\u001b[31m", "\n", "\u2028", "\u202E", "\uE000", "😀"),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(unit, { maxLength: 600, size: "max" }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (printed) => {
      const output = toOutput(printed);
      expect(v.is(factKinds.output, output)).toBe(true);
      expect(toOutput(output)).toBe(output);
    }),
    { numRuns: 500 },
  );
});
