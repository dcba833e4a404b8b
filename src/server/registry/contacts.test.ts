import { expect, test } from "vitest";
import { findContactAddresses, removeDuplicates } from "./contacts.ts";
import { parseRpsl, type ReadObject } from "./objects.ts";

function readFrom(files: Readonly<Record<string, string>>): ReadObject {
  return async (kind, name) => {
    const text = files[`${kind}/${name}`];
    return text === undefined ? null : parseRpsl(text);
  };
}

const autNum = parseRpsl("admin-c: A-P\ntech-c: B-R\nmnt-by: A-MNT\norg: ORG-A");

test("a usable address of a farther contact is used instead of an altered one of a nearer contact", async () => {
  const read = readFrom({
    "person/A-P": "e-mail: a@nospam.example.org",
    "organisation/ORG-A": "e-mail: org@example.org",
  });
  expect(await findContactAddresses(read, autNum)).toEqual({ addresses: ["org@example.org"], altered: null });
});

test("a maintainer's tech-c is a contact", async () => {
  const read = readFrom({ "mntner/A-MNT": "tech-c: M-P", "person/M-P": "e-mail: m@example.org" });
  expect(await findContactAddresses(read, autNum)).toEqual({ addresses: ["m@example.org"], altered: null });
});

test("of many addresses the first eight are used", async () => {
  const addresses = Array.from({ length: 9 }, (_, index) => `a${index}@example.org`);
  const read = readFrom({ "person/A-P": addresses.map((address) => `e-mail: ${address}`).join("\n") });
  expect(await findContactAddresses(read, autNum)).toEqual({
    addresses: addresses.slice(0, 8),
    altered: null,
  });
});

test.each([
  [
    "another person of the same step has an e-mail:",
    "admin-c: A-P\nadmin-c: B-P",
    { "person/A-P": "contact: a@example.net", "person/B-P": "e-mail: b@example.org" },
    ["b@example.org"],
  ],
  [
    "the same person has an e-mail:",
    "admin-c: A-P",
    { "person/A-P": "contact: chat@example.net\ne-mail: a@example.org" },
    ["a@example.org"],
  ],
  [
    "the admin-c of the role has an e-mail:",
    "admin-c: A-R",
    { "role/A-R": "contact: chat@example.net\nadmin-c: B-P", "person/B-P": "e-mail: b@example.org" },
    ["b@example.org"],
  ],
  [
    "the maintainer's contact has an e-mail:",
    "mnt-by: A-MNT",
    { "mntner/A-MNT": "contact: chat@example.net\nadmin-c: B-P", "person/B-P": "e-mail: b@example.org" },
    ["b@example.org"],
  ],
])("a contact: line is not used if %s", async (_, text, files, addresses) => {
  expect(await findContactAddresses(readFrom(files), parseRpsl(text))).toEqual({ addresses, altered: null });
});

test.each([
  [
    "the e-mail: is a farther step",
    "admin-c: A-P\ntech-c: B-P",
    { "person/A-P": "contact: a@example.net", "person/B-P": "e-mail: b@example.org" },
  ],
  [
    "the e-mail: is not usable",
    "admin-c: A-P",
    { "person/A-P": "contact: a@example.net\ne-mail: a@nospam.example.org" },
  ],
  [
    "the role and its admin-c have no e-mail:",
    "admin-c: A-R",
    { "role/A-R": "contact: a@example.net\nadmin-c: B-P", "person/B-P": "contact: b@example.org" },
  ],
])("a contact: line is used if %s", async (_, text, files) => {
  expect(await findContactAddresses(readFrom(files), parseRpsl(text))).toEqual({
    addresses: ["a@example.net"],
    altered: null,
  });
});

test.each([
  ["person/A-P", { "person/A-P": "contact: irc: a\ncontact: a (at) example.org" }, "contact", 2, 2],
  ["role/B-R", { "role/B-R": "e-mail: b@nospam.example.org" }, "e-mail", 1, 1],
  [
    "person/C-P",
    {
      "role/B-R": "admin-c: C-P",
      "person/C-P": "e-mail: c@example.invalid",
      "mntner/A-MNT": "e-mail: m at example.org",
    },
    "e-mail",
    1,
    1,
  ],
  ["mntner/A-MNT", { "mntner/A-MNT": "contact: m[at]example.org" }, "contact", 1, 1],
  ["organisation/ORG-A", { "organisation/ORG-A": "e-mail: o@removethis.example.org" }, "e-mail", 1, 1],
])(
  "without a usable address, the nearest altered one is in %s",
  async (object, files, key, position, count) => {
    expect(await findContactAddresses(readFrom(files), autNum)).toEqual({
      addresses: [],
      altered: { object, key, position, count },
    });
  },
);

test("without any address there is no altered one", async () => {
  expect(await findContactAddresses(readFrom({ "person/A-P": "contact: irc: a" }), autNum)).toEqual({
    addresses: [],
    altered: null,
  });
});

test("duplicates differ only in the case of the host", () => {
  expect(removeDuplicates(["Ada@Example.org", "Ada@example.ORG", "ada@example.org"])).toEqual([
    "Ada@example.org",
    "ada@example.org",
  ]);
});
