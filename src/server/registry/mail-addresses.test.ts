import fc from "fast-check";
import { expect, test } from "vitest";
import { isMailAddress } from "../../domain/mail-address.ts";
import { findAlteredLines, findMailAddresses } from "./mail-addresses.ts";
import { parseRpsl, type RpslObject } from "./objects.ts";

function findAll(object: RpslObject): readonly string[] {
  return (["e-mail", "contact"] as const).flatMap((key) => findMailAddresses(object, key));
}

test.each([
  ["e-mail: ada@example.org", ["ada@example.org"]],
  ["e-mail: Ada Example <ada@example.org>", ["ada@example.org"]],
  ["e-mail: Example, Ada <ada@example.org>", ["ada@example.org"]],
  ["e-mail: mailto:ada@example.org?subject=hello", ["ada@example.org"]],
  ["e-mail: mailto:ada@example.org?cc=bob@example.net,eve@example.net", ["ada@example.org"]],
  ["e-mail: ada@example.org, noc@example.org", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@example.org noc@example.org", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@example.org\n                    noc@example.org", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@jabber.example.org", ["ada@jabber.example.org"]],
  ["contact: ada@example.org", ["ada@example.org"]],
  ["contact: mailto:ada@example.org", ["ada@example.org"]],
  ["contact: MAILTO: ada@example.org", ["ada@example.org"]],
  ["contact: email:ada@example.org", ["ada@example.org"]],
  ["contact: E-Mail: ada@example.org", ["ada@example.org"]],
  ["contact: Mail ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org (mail)", ["ada@example.org"]],
  ["contact: E-Mail : ada@example.org", ["ada@example.org"]],
  ["contact: mail address: ada@example.org", ["ada@example.org"]],
  ["contact: emailaddress: ada@example.org", ["ada@example.org"]],
  ["contact: preferred: mail ada@example.org", ["ada@example.org"]],
  ["contact: Email  ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org ( email )", ["ada@example.org"]],
  ["contact: ada@example.org[e-mail]", ["ada@example.org"]],
  ["e-mail: Ada < ada@example.org >", ["ada@example.org"]],
  ["contact: mail: ada@chat.example.org", ["ada@chat.example.org"]],
  ["contact: mail ada@chat.example.org", ["ada@chat.example.org"]],
  ["contact: mail/xmpp: ada@example.org", ["ada@example.org"]],
  [
    "contact: mail: ada@chat.example.org, noc@chat.example.org",
    ["ada@chat.example.org", "noc@chat.example.org"],
  ],
  ["contact: x@example.org\ne-mail: y@example.org", ["y@example.org", "x@example.org"]],
  ["contact: o'hara_1+dn42@example.org", ["o'hara_1+dn42@example.org"]],
  ["e-mail: strip@example.org", ["strip@example.org"]],
  ["contact: irc-ops@example.org", ["irc-ops@example.org"]],
  ["contact: ada@my-irc.example.org", ["ada@my-irc.example.org"]],
  ["contact: ada@wechat.example.org", ["ada@wechat.example.org"]],
  ["contact: ada@chatter.example.org", ["ada@chatter.example.org"]],
  ["contact: ada@oftc.net.example.org", ["ada@oftc.net.example.org"]],
])("%j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  ["e-mail : ada@example.org", ["ada@example.org"]],
  ["e-mail\t:ada@example.org", ["ada@example.org"]],
  ["contact : ada@example.org", ["ada@example.org"]],
])("blanks before the colon: %j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  ["e-mail: ada@example.org # my address", ["ada@example.org"]],
  ["e-mail: ada@example.org # not bob@example.net", ["ada@example.org"]],
  ["e-mail: ada@example.org#comment", ["ada@example.org"]],
  ["e-mail: ada@example.org # not on XMPP", ["ada@example.org"]],
  ["contact: ada@example.org # my address", ["ada@example.org"]],
  ["contact: mail: ada@example.org # no XMPP", ["ada@example.org"]],
  ["e-mail: ada@example.org # first\n  noc@example.org # second", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada@example.org\n# a comment\n  noc@example.org", ["ada@example.org", "noc@example.org"]],
])("comments: %j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  ["e-mail: ada@example.org.", ["ada@example.org"]],
  ["contact: ada@example.org., noc@example.org.", ["ada@example.org", "noc@example.org"]],
  ["e-mail: Ada <ada@example.org.>", ["ada@example.org"]],
])("the dot of the root: %j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  ["contact: ada@example.org, irc: ada", ["ada@example.org"]],
  ["contact: ada@example.org irc: ada", ["ada@example.org"]],
  ["contact: ada@example.org  irc : ada", ["ada@example.org"]],
  ["contact: ada@example.org, irc: -", ["ada@example.org"]],
  ["contact: irc: ada, mail ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org @ada", ["ada@example.org"]],
  ["contact: ada@example.org / irc: ada on hackint", ["ada@example.org"]],
  ["contact: ada@example.org | https://example.org/@ada", ["ada@example.org"]],
  ["contact: ada@example.org or irc ada", ["ada@example.org"]],
  ["contact: telegram: @ada, ada@example.org", ["ada@example.org"]],
  ["contact: irc: ada, ada@example.org", ["ada@example.org"]],
  ["contact: ada on irc, ada@example.org", ["ada@example.org"]],
  ["contact: @ada:example.org, ada@example.org", ["ada@example.org"]],
  ["contact: tel: +49 30 123456; ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org, xmpp: ada@example.net", ["ada@example.org"]],
  ["contact: ada@example.org, xmpp: ada@example.net,", ["ada@example.org"]],
  ["contact: ada@example.org, ada@jabber.example.net", ["ada@example.org"]],
  ["contact: email: ada@example.org xmpp: ada@example.net", ["ada@example.org"]],
  ["contact: xmpp: ada@example.net, mail: ada@example.org", ["ada@example.org"]],
  ["contact: irc: ada\n  ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org;twitter:@ada", ["ada@example.org"]],
  ["contact: ada@example.org; twitter: @ada; xmpp: ada@example.net", ["ada@example.org"]],
  ["e-mail: ada@example.org;twitter:@ada", ["ada@example.org"]],
  ["e-mail: ada@example.org, xmpp: ada@example.net", ["ada@example.org"]],
])("beside other contacts: %j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  ["e-mail: ada@example.org, not-an-address", ["ada@example.org"]],
  ["e-mail: -, ada@example.org", ["ada@example.org"]],
  ["e-mail: ada@localhost, ada@example.org", ["ada@example.org"]],
  ["contact: ada@example.org, not-an-address", ["ada@example.org"]],
  ["contact: ada@example.org,, noc@example.org,", ["ada@example.org", "noc@example.org"]],
  ["e-mail: ada (at) example.org, noc@example.org", ["noc@example.org"]],
  ["e-mail: ada@NOSPAM.example.org, noc@example.org", ["noc@example.org"]],
])("a list with a bad part: %j contains %j", (text, addresses) => {
  expect(findAll(parseRpsl(text))).toEqual(addresses);
});

test.each([
  "contact: xmpp:ada@example.org",
  "contact: xmpp: ada@example.org",
  "contact: xmpp : ada@example.org",
  "contact: xmpp:\n  ada@example.org",
  "contact: xmpp: ada@example.org\n  noc@example.net",
  "contact: xmpp: ada@example.org, noc@example.net",
  "contact: xmpp: ada, noc@example.net",
  "contact: XMPP ada@example.org",
  "contact: XMPP ada@example.org, noc@example.net",
  "contact: xmpp, ada@example.org",
  "contact: ada@example.org, xmpp",
  "contact: ada@example.org, irc:",
  "contact: ada@example.org, also on Matrix",
  "contact: ada@example.org / XMPP",
  "contact: ada@example.org, also on Jabber",
  "contact: ada@example.org # XMPP",
  "contact: ada@example.org # xmpp: ada@example.org",
  "contact: Jabber <ada@example.org>",
  "contact: jabber:ada@example.org",
  "contact: xmpp/ada@example.org",
  "contact: irc: ada@irc.example.org",
  "contact: irc: ada@example.org, bob@example.net",
  "contact: irc://irc.example.org/#dn42",
  "contact: ada@hackint.org",
  "contact: ada@libera.chat",
  "contact: matrix:u/ada:example.org",
  "contact: matrix: ada@example.org",
  "contact: @ada:example.org",
  "contact: @ada@mastodon.example.org",
  "contact: ada@mastodon.example.org",
  "contact: telegram: ada@example.org",
  "contact: foo: ada@example.org",
  "contact: sip:ada@example.org",
  "contact: sip: ada, noc@example.net",
  "contact: voicemail: ada@example.org",
  "contact: mailing list: ada@example.org",
  "contact: ada@example.net mail noc@example.org",
  "contact: ada@example.net (mail)noc@example.org",
  "contact: ada@jabber.example.org",
  "contact: ada@myjabber.example.org",
  "contact: ada@xmpp.example.org",
  "contact: ada@irc.example.org",
  "contact: ada@matrix.example.org",
  "contact: ada@example.org (XMPP)",
  "contact: ada@example.org (XMPP), noc@example.net",
  "contact: email: xmpp: ada@example.org",
  "contact: https://example.org/@ada",
  "contact: +49 30 123456",
  "e-mail: -",
  "e-mail: ada@localhost",
  "e-mail: ada#noc@example.org",
  "e-mail: #noc@example.org",
  "e-mail: noc@example.net:mailto:ada@example.org",
  "e-mail: :mailto:ada@example.org",
  "e-mail: noc@example.net <ada@example.org>",
  "e-mail: <ada@example.org> until 2020",
  "e-mail: xmpp:ada@example.org",
  "e-mail: irc: ada@example.org, bob@example.net",
  "e-mail: evil@example.org>\\r\\nBcc: <x@example.org",
  "phone: ada@example.org",
  "remarks: ada@example.org",
])("%j contains no mail address, and none that is altered", (text) => {
  expect(findAll(parseRpsl(text))).toEqual([]);
  expect(findAlteredLines(parseRpsl(text))).toEqual([]);
});

test.each([
  "e-mail: ada@NOSPAM.example.org",
  "e-mail: ada.nospam@example.org",
  "e-mail: adax@example.org (remove the x)",
  "e-mail: adax@example.org # remove the x",
  "e-mail: -, adax@example.org (remove the x)",
  "e-mail: ada[at]example.org",
  "e-mail: ada [at] example.org",
  "e-mail: ada(at)example.org",
  "e-mail: ada (at) example.org",
  "e-mail: ada {at} example {dot} org",
  "e-mail: ada at example.org",
  "e-mail: ada AT example DOT org",
  "e-mail: ada at example dot org",
  "e-mail: ada_at_example.org",
  "e-mail: ada_at_example_dot_org",
  "e-mail: ada-at-example-dot-org",
  "e-mail: ada ( at ) example ( dot ) org",
  "e-mail: ada[@]example[.]org",
  "e-mail: ada (ät) example (punkt) org",
  "e-mail: ada @ example.org",
  "e-mail: ada @example.org",
  "e-mail: ada@ example.org",
  "e-mail: ada@example[dot]org",
  "e-mail: ada@example (dot) org",
  "e-mail: ada@example dot org",
  "e-mail: ada dot example@example.org",
  "e-mail: ada at nospam.example.org",
  "e-mail: Ada <ada@nospam.example.org>",
  "e-mail: Ada <ada(at)example.org>",
  "contact: ada@NOSPAM.example.org",
  "contact: mail: ada [at] example [dot] org",
  "contact: ada at example.org, irc: ada",
  "contact: irc: ada, ada@nospam.example.org",
])("%j contains only an altered address", (text) => {
  const object = parseRpsl(text);
  expect(findAll(object)).toEqual([]);
  expect(findAlteredLines(object)).toEqual([
    { key: text.startsWith("contact") ? "contact" : "e-mail", position: 1, count: 1 },
  ]);
});

test.each([
  "contact: irc: ada at irc.example.org",
  "contact: ada at irc.example.org",
  "contact: ada on irc at example.org",
  "contact: xmpp: ada@nospam.example.org",
  "contact: xmpp: adax@example.org (remove the x)",
  "contact: XMPP ada at example.org",
  "contact: please ask at the meeting",
])("%j is not an altered mail address", (text) => {
  expect(findAll(parseRpsl(text))).toEqual([]);
  expect(findAlteredLines(parseRpsl(text))).toEqual([]);
});

test("an altered address is found by its line among those of the same key", () => {
  const object = parseRpsl(
    ["contact: irc: ada", "contact:", "contact: ada@nospam.example.org", "e-mail: ada at example.org"].join(
      "\n",
    ),
  );
  expect(findAlteredLines(object)).toEqual([
    { key: "e-mail", position: 1, count: 1 },
    { key: "contact", position: 3, count: 3 },
  ]);
});

test("a value of more than 1000 characters is ignored", () => {
  const value = "ada@example.org, ".padEnd(1000, "x");
  expect(findAll(parseRpsl(`e-mail: ${value}`))).toEqual(["ada@example.org"]);
  const longer = parseRpsl(`e-mail: ${value}x`);
  expect(findAll(longer)).toEqual([]);
  expect(findAlteredLines(longer)).toEqual([]);
});

test("every address is in the value as it is, outside of comments", () => {
  const word = fc.constantFrom(
    "ada@example.org",
    "bob@nospam.example.org",
    "noc",
    "@",
    "at",
    "dot",
    "(at)",
    "xmpp:",
    "irc",
    "mail:",
    "mailto:",
    "<",
    ">",
    "#",
    "?",
    ".",
    ",",
    ";",
    "/",
    "or",
    "\n",
    " ",
  );
  const line = fc.record({
    key: fc.constantFrom("e-mail", "contact"),
    words: fc.array(word, { maxLength: 8 }),
    separator: fc.constantFrom("", " ", ", "),
  });
  let found = 0;
  fc.assert(
    fc.property(line, ({ key, words, separator }) => {
      const value = words.join(separator);
      for (const address of findAll(new Map([[key, [value]]]))) {
        found += 1;
        expect(isMailAddress(address)).toBe(true);
        expect(value.replaceAll(/#[^\n]*/g, "")).toContain(address);
        expect(address).not.toContain("nospam");
      }
    }),
    { numRuns: 5_000 },
  );
  expect(found).toBeGreaterThan(200);
});
