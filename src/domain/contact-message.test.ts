import { expect, test } from "vitest";
import { checkMessage, messageFaults } from "./contact-message.ts";

const good = { name: "Ada Quill", email: "ada@example.org", message: "Hello\nthere" };

test("blanks around are cut off, everything else stays", () => {
  expect(
    checkMessage({ name: " Zoë O'Neill-Łuk ", email: " ada@example.org ", message: "  a <b>\t\n\n🙂 " }),
  ).toEqual({
    ok: true,
    value: { name: "Zoë O'Neill-Łuk", email: "ada@example.org", message: "a <b>\t\n\n🙂" },
  });
});

test.each([
  "",
  "   ",
  "a".repeat(101),
  "a\r\nBcc: x@example.org",
  "<img onerror>",
  'a"b',
  "a\\b",
  "a\u0000",
  "a\u202Eb",
  "a\u2028b",
  "\uD800",
])("the name %j is refused", (name) => {
  expect(checkMessage({ ...good, name })).toMatchObject({ ok: false, fault: { field: "name" } });
});

test.each(["", "ada", "a@b.co\r\nBcc: x@y.co", '"x@evil" <a@b.co>', "a@b.co,c@d.co"])(
  "the address %j is refused",
  (email) => {
    expect(checkMessage({ ...good, email })).toEqual({
      ok: false,
      fault: {
        message:
          "Enter one plain mail address such as you@example.org, so that we can answer. Nothing was sent.",
        field: "email",
      },
    });
  },
);

test.each(["", "\n \n", "x".repeat(5001), "a\u0000b", "a\u001Bb", "a\uDC00b", "a\u202Eb"])(
  "the message %j is refused",
  (message) => {
    expect(checkMessage({ ...good, message })).toMatchObject({ ok: false, fault: { field: "message" } });
  },
);

test("length counts characters, not code units", () => {
  expect(checkMessage({ ...good, message: "🙂".repeat(5000) }).ok).toBe(true);
});

test("all faults are found at once, one a field; the server tells the first", () => {
  const bad = { name: "<x>", email: "ada", message: " " };
  expect(messageFaults(bad).map(({ field }) => field)).toEqual(["name", "email", "message"]);
  expect(checkMessage(bad)).toMatchObject({ ok: false, fault: { field: "name" } });
  expect(messageFaults(good)).toEqual([]);
});
