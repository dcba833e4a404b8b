import fc from "fast-check";
import { expect, test } from "vitest";
import { isMailAddress } from "../../domain/mail-address.ts";
import { findAlteredLines, findMailAddresses } from "./mail-addresses.ts";
import { parseRpsl, type RpslObject } from "./objects.ts";

function findAll(object: RpslObject): readonly string[] {
  return (["e-mail", "contact"] as const).flatMap((key) => findMailAddresses(object, key));
}

/** What is found in a line with this value. `%` in a pattern is `ada@example.org`. */
function readLine(key: string, pattern: string) {
  const object = parseRpsl(`${key}: ${pattern.replaceAll("%", "ada@example.org")}`);
  return { pattern, addresses: findAll(object), altered: findAlteredLines(object) };
}

type Row = readonly [what: string, key: "e-mail" | "contact", ...patterns: readonly string[]];

test.each<Row>([
  ["alone", "e-mail", "%", "%.", "mailto:%?subject=hello", "mailto:%?cc=bob@example.net,eve@example.net"],
  ["after a name", "e-mail", "Ada Example <%>", "Example, Ada <%>", "Ada < % >", "Ada <%.>"],
  ["alone", "contact", "%", "mailto:%", "MAILTO: %", "email:%", "E-Mail: %", "E-Mail : %"],
  ["as mail", "contact", "Mail %", "Email  %", "% (mail)", "% ( email )", "%[e-mail]", "mail/xmpp: %"],
  ["after a label", "contact", "mail address: %", "emailaddress: %", "preferred: mail %"],
  ["before a comment", "e-mail", "% # my address", "% # not bob@example.net", "%#comment", "% # not on XMPP"],
  ["before a comment", "contact", "% # my address", "mail: % # no XMPP"],
  ["beside IRC", "contact", "%, irc: ada", "% irc: ada", "%  irc : ada", "%, irc: -", "% or irc ada"],
  ["beside IRC on hackint", "contact", "% / irc: ada on hackint", "irc: ada, mail %", "irc: ada\n  %"],
  ["after other contacts", "contact", "telegram: @ada, %", "irc: ada, %", "ada on irc, %"],
  ["after other contacts", "contact", "@ada:example.org, %"],
  ["beside a phone or a page", "contact", "tel: +49 30 123456; %", "% | https://example.org/@ada"],
  ["before other contacts", "contact", "% @ada", "%;twitter:@ada", "%; twitter: @ada; xmpp: ada@example.net"],
  ["beside XMPP", "contact", "%, xmpp: ada@example.net", "%, xmpp: ada@example.net,"],
  ["beside XMPP", "contact", "%, ada@jabber.example.net"],
  ["as mail beside XMPP", "contact", "email: % xmpp: ada@example.net", "xmpp: ada@example.net, mail: %"],
  ["beside other contacts", "e-mail", "%;twitter:@ada", "%, xmpp: ada@example.net"],
  ["beside a bad part", "e-mail", "%, not-an-address", "-, %", "ada@localhost, %", "bob (at) example.org, %"],
  ["beside a bad part", "contact", "%, not-an-address", "%,,", "bob@NOSPAM.example.org, %"],
])("an address %s in %s:", (_, key, ...patterns) => {
  expect(patterns.map((pattern) => readLine(key, pattern).addresses.join())).toEqual(
    patterns.map(() => "ada@example.org"),
  );
});

test.each([
  "e-mail: %, noc@example.org",
  "e-mail: % noc@example.org",
  "e-mail: %\n                    noc@example.org",
  "e-mail: % # first\n  noc@example.org # second",
  "e-mail: %\n# a comment\n  noc@example.org",
  "contact: %., noc@example.org.",
  "contact: %,, noc@example.org,",
  "contact: noc@example.org\ne-mail: %",
])("%j contains two addresses", (text) => {
  const addresses = ["ada@example.org", "noc@example.org"];
  expect(findAll(parseRpsl(text.replace("%", "ada@example.org")))).toEqual(addresses);
});

test.each<Row>([
  ["an e-mail: line", "e-mail", "ada@jabber.example.org", "strip@example.org"],
  ["the label mail", "contact", "mail: ada@chat.example.org", "mail ada@chat.example.org"],
  ["words of services", "contact", "irc-ops@example.org", "ada@my-irc.example.org", "ada@wechat.example.org"],
  ["hosts like services", "contact", "ada@chatter.example.org", "ada@oftc.net.example.org"],
  ["other characters", "contact", "o'hara_1+dn42@example.org"],
])("addresses that look like other ones: %s", (_, key, ...patterns) => {
  expect(patterns.map((pattern) => readLine(key, pattern).addresses.join())).toEqual(
    patterns.map((pattern) => pattern.replace(/^mail:? /, "")),
  );
});

test("the label of mail is that of all addresses of a line", () => {
  expect(readLine("contact", "mail: ada@chat.example.org, noc@chat.example.org").addresses).toHaveLength(2);
});

test.each<Row>([
  ["after XMPP", "contact", "xmpp:%", "xmpp: %", "xmpp : %", "XMPP %", "xmpp, %", "xmpp/%", "email: xmpp: %"],
  ["in the line after XMPP", "contact", "xmpp:\n  %", "xmpp: %\n  noc@example.net"],
  ["in a list after XMPP", "contact", "xmpp: %, noc@example.net", "xmpp: ada, %", "XMPP %, noc@example.net"],
  ["before XMPP", "contact", "%, xmpp", "% / XMPP", "% # XMPP", "% # xmpp: %", "% (XMPP)"],
  ["before XMPP", "contact", "% (XMPP), noc@example.net"],
  ["before others", "contact", "%, irc:", "%, also on Matrix", "%, also on Jabber"],
  ["after Jabber", "contact", "Jabber <%>", "jabber:%"],
  ["after IRC", "contact", "irc: ada@irc.example.org", "irc: %, bob@example.net"],
  ["after IRC", "contact", "irc://irc.example.org/#dn42"],
  ["after others", "contact", "matrix: %", "telegram: %", "foo: %", "sip:%", "sip: ada, %", "voicemail: %"],
  ["of networks", "contact", "ada@hackint.org", "ada@libera.chat", "matrix:u/ada:example.org"],
  ["of networks", "contact", "@ada:example.org"],
  ["of Mastodon", "contact", "@ada@mastodon.example.org", "ada@mastodon.example.org"],
  ["of Mastodon", "contact", "https://example.org/@ada"],
  ["of XMPP", "contact", "ada@jabber.example.org", "ada@myjabber.example.org", "ada@xmpp.example.org"],
  ["of other services", "contact", "ada@irc.example.org", "ada@matrix.example.org"],
  ["of a list", "contact", "mailing list: %", "% mail noc@example.org", "% (mail)noc@example.org"],
  ["of a phone", "contact", "+49 30 123456"],
  ["that is none", "e-mail", "-", "ada@localhost", "ada#noc@example.org", "#noc@example.org"],
  ["beside another", "e-mail", "noc@example.net:mailto:%", ":mailto:%", "noc@example.net <%>"],
  ["beside another", "e-mail", "<%> until 2020"],
  ["of a service", "e-mail", "xmpp:%", "irc: %, bob@example.net"],
  ["with a header", "e-mail", "evil@example.org>\\r\\nBcc: <x@example.org"],
])("an identifier %s in %s: is no mail address, and no altered one", (_, key, ...patterns) => {
  expect(patterns.map((pattern) => readLine(key, pattern))).toEqual(
    patterns.map((pattern) => ({ pattern, addresses: [], altered: [] })),
  );
});

test("other keys contain no mail address", () => {
  expect(findAll(parseRpsl("phone: ada@example.org\nremarks: ada@example.org"))).toEqual([]);
});

test.each<Row>([
  ["an inserted word", "e-mail", "ada@NOSPAM.example.org", "ada.nospam@example.org"],
  ["an inserted word", "e-mail", "ada at nospam.example.org"],
  ["an instruction", "e-mail", "adax@example.org (remove the x)", "adax@example.org # remove the x"],
  ["a list with an instruction", "e-mail", "-, adax@example.org (remove the x)"],
  ["[at]", "e-mail", "ada[at]example.org", "ada [at] example.org", "ada(at)example.org"],
  ["[at]", "e-mail", "ada (at) example.org"],
  ["at", "e-mail", "ada at example.org", "ada_at_example.org", "Ada <ada(at)example.org>"],
  ["{at} and {dot}", "e-mail", "ada {at} example {dot} org", "ada ( at ) example ( dot ) org"],
  ["at and dot", "e-mail", "ada AT example DOT org", "ada at example dot org", "ada_at_example_dot_org"],
  ["other words and signs", "e-mail", "ada-at-example-dot-org", "ada[@]example[.]org"],
  ["other words and signs", "e-mail", "ada (ät) example (punkt) org"],
  ["blanks", "e-mail", "ada @ example.org", "ada @example.org", "ada@ example.org"],
  ["dot", "e-mail", "ada@example[dot]org", "ada@example (dot) org", "ada@example dot org"],
  ["dot", "e-mail", "ada dot b@example.org"],
  ["a name", "e-mail", "Ada <ada@nospam.example.org>"],
  ["other contacts", "contact", "ada at example.org, irc: ada", "irc: ada, ada@nospam.example.org"],
  ["nothing else", "contact", "ada@NOSPAM.example.org", "mail: ada [at] example [dot] org"],
])("an altered address with %s in %s:", (_, key, ...patterns) => {
  expect(patterns.map((pattern) => readLine(key, pattern))).toEqual(
    patterns.map((pattern) => ({ pattern, addresses: [], altered: [{ key, position: 1, count: 1 }] })),
  );
});

test.each([
  "irc: ada at irc.example.org",
  "ada at irc.example.org",
  "ada on irc at example.org",
  "xmpp: ada@nospam.example.org",
  "xmpp: adax@example.org (remove the x)",
  "XMPP ada at example.org",
  "please ask at the meeting",
])("%j is not an altered mail address", (pattern) => {
  expect(readLine("contact", pattern)).toEqual({ pattern, addresses: [], altered: [] });
});

test("an altered address is found by its line among those of the same key", () => {
  const object = parseRpsl(
    "contact: irc: ada\ncontact:\ncontact: ada@nospam.example.org\ne-mail: ada at example.org",
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
  const vocabulary =
    "ada@example.org bob@nospam.example.org noc @ at dot (at) xmpp: irc mail: mailto: < > # ? . , ; / or";
  const word = fc.constantFrom(...vocabulary.split(" "), "\n", " ");
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
