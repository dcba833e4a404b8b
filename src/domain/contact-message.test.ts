import { expect, test } from "vitest";
import { checkContactMessage, findMessageErrors } from "./contact-message.ts";

const good = { name: "Ada Quill", email: "ada@example.org", message: "Hello\nthere" };

test("surrounding blanks are removed, everything else stays", () => {
  const value = { name: "Zoë O'Neill-Łuk", email: "ada@example.org", message: "a <b>\t\n\n🙂" };
  const padded = Object.entries(value).map(([field, text]) => [field, ` ${text} `]);
  expect(checkContactMessage(Object.fromEntries(padded) as typeof value)).toEqual({ ok: true, value });
});

test.each([
  ["name", "", "   ", "a".repeat(101), "a\r\nBcc: x@example.org", "<img onerror>", 'a"b', "a\\b"],
  ["name", "a\u0000", "a\u202Eb", "a\u2028b", "\uD800"],
  ["email", "", "ada", "a@b.co\r\nBcc: x@y.co", '"x@evil" <a@b.co>', "a@b.co,c@d.co"],
  ["message", "", "\n \n", "x".repeat(5001), "a\u0000b", "a\u001Bb", "a\uDC00b", "a\u202Eb"],
])("hostile values of %s are rejected", (field, ...values) => {
  const checked = values.map((value) => checkContactMessage({ ...good, [field]: value }));
  expect(checked).toMatchObject(values.map(() => ({ ok: false, error: { field } })));
});

test("the error of an address says what was expected, and that nothing was sent", () => {
  expect(findMessageErrors({ ...good, email: "ada" }).map(({ message }) => message)).toEqual([
    "Enter one plain email address such as you@example.org, so that we can reply. Nothing was sent.",
  ]);
});

test("length counts characters, not code units, and a line feed around a text is a blank", () => {
  for (const value of [
    { ...good, name: "🙂".repeat(100), message: "🙂".repeat(5000) },
    { ...good, name: "Z", message: "?" },
  ])
    expect(
      checkContactMessage({ ...value, name: `\n${value.name}`, message: `\u2028${value.message}` }),
    ).toEqual({ ok: true, value });
});

test("every invalid field has one error, and the check returns the first", () => {
  const bad = { name: "<x>", email: "ada", message: " " };
  expect(findMessageErrors(bad).map(({ field }) => field)).toEqual(["name", "email", "message"]);
  expect(checkContactMessage(bad)).toMatchObject({ ok: false, error: { field: "name" } });
  expect(findMessageErrors(good)).toEqual([]);
});
