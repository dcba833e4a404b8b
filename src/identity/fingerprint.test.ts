import fc from "fast-check";
import { expect, test } from "vitest";
import { parseFingerprint } from "./fingerprint.ts";

test("any case, with or without colons, is one fingerprint", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString("hex");
      const colons = (hex.match(/../g) ?? []).join(":");
      expect(parseFingerprint(hex)).toBe(colons.toUpperCase());
      expect(parseFingerprint(` ${colons}\n`)).toBe(colons.toUpperCase());
    }),
  );
});

test.each(["", "AB:CD", "g".repeat(64), "a".repeat(63), "a".repeat(65), `sha256:${"a".repeat(64)}`])(
  "%j is no fingerprint",
  (text) => {
    expect(parseFingerprint(text)).toBeNull();
  },
);
