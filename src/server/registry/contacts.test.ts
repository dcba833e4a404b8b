import { expect, test } from "vitest";
import { findMailAddresses, removeDuplicates } from "./contacts.ts";
import { parseRpsl } from "./objects.ts";

test.each([
  ["e-mail: ada@example.org", ["ada@example.org"]],
  ["e-mail: Ada Example <ada@example.org>", ["ada@example.org"]],
  ["e-mail: mailto:ada@example.org?subject=hello", ["ada@example.org"]],
  ["e-mail: ada@example.org, noc@example.org", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@example.org\n                    noc@example.org", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@jabber.example.org", ["ada@jabber.example.org"]],
  ["contact: ada@example.org", ["ada@example.org"]],
  ["contact: mailto:ada@example.org", ["ada@example.org"]],
  ["contact: MAILTO: ada@example.org", ["ada@example.org"]],
  ["contact: email:ada@example.org", ["ada@example.org"]],
  ["contact: E-Mail: ada@example.org", ["ada@example.org"]],
  ["contact: mail: ada@chat.example.org", ["ada@chat.example.org"]],
  ["contact: x@example.org\ne-mail: y@example.org", ["y@example.org", "x@example.org"]],
])("%j contains %j", (text, addresses) => {
  expect(findMailAddresses(parseRpsl(text))).toEqual(addresses);
});

test.each([
  "contact: xmpp:ada@example.org",
  "contact: xmpp: ada@example.org",
  "contact: XMPP ada@example.org",
  "contact: jabber:ada@example.org",
  "contact: irc: ada@irc.example.org",
  "contact: irc://irc.example.org/#dn42",
  "contact: matrix:u/ada:example.org",
  "contact: @ada:example.org",
  "contact: sip:ada@example.org",
  "contact: ada@jabber.example.org",
  "contact: ada@myjabber.example.org",
  "contact: ada@xmpp.example.org",
  "contact: ada@irc.example.org",
  "contact: ada@matrix.example.org",
  "contact: ada@example.org (XMPP)",
  "contact: email: ada@example.org xmpp: ada@example.net",
  "contact: https://example.org/@ada",
  "contact: +49 30 123456",
  "e-mail: ada (at) example.org",
  "e-mail: ada(at)example.org",
  "e-mail: ada[at]example.org",
  "e-mail: ada at example dot org",
  "e-mail: ada@localhost",
  "e-mail: -",
  "e-mail: xmpp:ada@example.org",
  "e-mail: evil@example.org>\\r\\nBcc: <x@example.org",
  "phone: ada@example.org",
  "remarks: ada@example.org",
])("%j contains no mail address", (text) => {
  expect(findMailAddresses(parseRpsl(text))).toEqual([]);
});

test("duplicates differ only in the case of the host", () => {
  expect(removeDuplicates(["Ada@Example.org", "Ada@example.ORG", "ada@example.org"])).toEqual([
    "Ada@example.org",
    "ada@example.org",
  ]);
});
