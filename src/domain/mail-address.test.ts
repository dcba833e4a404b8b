import fc from "fast-check";
import { expect, test } from "vitest";
import { isMailAddress } from "./mail-address.ts";

test.each([
  ["usual ones", "noc@example.net", "first.last+dn42@mail.example.org", "o'brien@example.com"],
  ["names of the network", "me@node.example.dn42", "me@example.42dn"],
  ["long parts", `${"a".repeat(64)}@example.net`, `a@${"b.".repeat(124)}b.co`],
])("mail addresses: %s", (_, ...texts) => {
  expect(texts.filter((text) => !isMailAddress(text))).toEqual([]);
});

test.each([
  ["missing parts", "", "@", "a@", "@example.net"],
  ["other hosts", "a@localhost", "a@127.0.0.1", "a@example.42", "a@[127.0.0.1]", "a@-example.net"],
  ["misplaced dots", "a.@example.net", ".a@example.net", "a..b@example.net", "a@example..net"],
  ["misplaced dots", "a@example.net."],
  ["several words", "a b@example.net", "a@b@example.net", "a@example.net,b@example.net"],
  ["several words", "user (at) example.net"],
  ["quotes", '"x@evil" <a@b.co>', '"quoted"@example.net'],
  ["angle brackets", "<a@example.net>", "Name <a@example.net>"],
  ["control characters", "a@b.co\r\nBcc: x@y.co", "a@example.net\n", "a\u0000@example.net"],
  ["other alphabets", "аdmin@example.net", "a@exämple.net"],
  ["too long parts", `${"a".repeat(65)}@a.net`, `a@${"b".repeat(64)}.net`, `a@${"b.".repeat(124)}b.net`],
])("no mail addresses: %s", (_, ...texts) => {
  expect(texts.filter(isMailAddress)).toEqual([]);
});

test("a valid address contains no character that ends a header field", () => {
  // Half of the characters are valid in an address, so that many of the texts are valid.
  const unit = fc.constantFrom(...Array.from('aaaabbbb1111.-+_,;:<>()[]\\"\r\n @'));
  const part = fc.string({ unit, minLength: 1, maxLength: 6 });
  let accepted = 0;
  fc.assert(
    fc.property(part, part, (local, domain) => {
      const text = `${local}@${domain}.net`;
      if (!isMailAddress(text)) return;
      accepted += 1;
      expect(text).toMatch(/^[^\s,;:<>()[\]\\"]+$/);
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
