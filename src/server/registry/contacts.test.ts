import { expect, test } from "vitest";
import { findContactAddresses, removeDuplicates } from "./contacts.ts";
import { parseRpsl, type ReadObject } from "./objects.ts";

function readFrom(files: Readonly<Record<string, string>>): ReadObject {
  return async (kind, name) => {
    const text = files[`${kind}/${name}`];
    return text === undefined ? null : parseRpsl(text);
  };
}

const readerOf = (read: ReadObject) => ({
  read,
  unreachableDomains: [],
  registryMaintainers: ["KEEPER-MNT"],
});

const autNum = parseRpsl("admin-c: A-P\ntech-c: B-R\nmnt-by: A-MNT\norg: ORG-A");

test("of many addresses the first four are used", async () => {
  const addresses = Array.from({ length: 9 }, (_, index) => `a${index}@example.org`);
  const read = readFrom({ "person/A-P": addresses.map((address) => `e-mail: ${address}`).join("\n") });
  const found = await findContactAddresses(readerOf(read), autNum);
  expect(found).toEqual({ addresses: addresses.slice(0, 4), altered: null, unreachable: null });
});

/** Addresses by the objects in which all of the rows below find them, or do not. */
const others = { "person/B-P": "e-mail: b@example.org", "person/C-P": "e-mail: c@example.org" };

test.each<[string, string, Readonly<Record<string, string>>, string[]]>([
  ["the tech-c, if the admin-c does not exist", "admin-c: A-P\ntech-c: B-P", {}, ["b@example.org"]],
  ["a handle in lower case, without the comment", "admin-c: b-p # C-P", {}, ["b@example.org"]],
  ["every admin-c once", "admin-c: B-P, C-P\nadmin-c: B-P", {}, ["b@example.org", "c@example.org"]],
  ["a role", "admin-c: R", { "role/R": "e-mail: r@example.org\nadmin-c: B-P" }, ["r@example.org"]],
  ["the admin-c of a role", "admin-c: R", { "role/R": "admin-c: B-P" }, ["b@example.org"]],
  ["a maintainer's tech-c", "mnt-by: M", { "mntner/M": "tech-c: B-P" }, ["b@example.org"]],
  ["a maintainer", "mnt-by: M", { "mntner/M": "contact: m@example.org" }, ["m@example.org"]],
  [
    "a farther contact, if the address of a nearer one is altered",
    "admin-c: A-P\norg: O",
    { "person/A-P": "e-mail: a@nospam.example.org", "organisation/O": "e-mail: o@example.org" },
    ["o@example.org"],
  ],
  [
    "a contact: line, if the e-mail: is a farther step",
    "admin-c: A-P\ntech-c: B-P",
    { "person/A-P": "contact: a@example.net" },
    ["a@example.net"],
  ],
  [
    "a contact: line, if the e-mail: is not usable",
    "admin-c: A-P",
    { "person/A-P": "contact: a@example.net\ne-mail: a@nospam.example.org" },
    ["a@example.net"],
  ],
  [
    "a contact: line of a role, if it and its admin-c have no e-mail:",
    "admin-c: R",
    { "role/R": "contact: r@example.net\nadmin-c: A-P", "person/A-P": "contact: a@example.org" },
    ["r@example.net"],
  ],
  [
    "no contact: line, if another person of the same step has an e-mail:",
    "admin-c: A-P\nadmin-c: B-P",
    { "person/A-P": "contact: a@example.net" },
    ["b@example.org"],
  ],
  [
    "no contact: line, if the same person has an e-mail:",
    "admin-c: A-P",
    { "person/A-P": "contact: chat@example.net\ne-mail: a@example.org" },
    ["a@example.org"],
  ],
  [
    "no contact: line, if the admin-c of the role has an e-mail:",
    "admin-c: R",
    { "role/R": "contact: chat@example.net\nadmin-c: B-P" },
    ["b@example.org"],
  ],
  [
    "no contact: line, if the maintainer's contact has an e-mail:",
    "mnt-by: M",
    { "mntner/M": "contact: chat@example.net\nadmin-c: B-P" },
    ["b@example.org"],
  ],
  ["none, if there is no contact", "as-name: A", {}, []],
  ["none of other services", "admin-c: A-P", { "person/A-P": "contact: irc: a" }, []],
  [
    "none, if roles reference each other",
    "admin-c: R\ntech-c: S\nmnt-by: M",
    { "role/R": "admin-c: S", "role/S": "admin-c: R\nadmin-c: S", "mntner/M": "admin-c: R" },
    [],
  ],
  [
    "none of the registry's own maintainer",
    "admin-c: DN42-MNT\nmnt-by: DN42-MNT",
    { "person/DN42-MNT": "e-mail: registry@example.org", "mntner/DN42-MNT": "e-mail: registry@example.org" },
    [],
  ],
  [
    "none of a maintainer of the profile that keeps the registry",
    "admin-c: KEEPER-MNT\nmnt-by: keeper-mnt",
    { "person/KEEPER-MNT": "e-mail: k@example.org", "mntner/KEEPER-MNT": "e-mail: k@example.org" },
    [],
  ],
])("the addresses of an AS are those of %s", async (_, text, files, addresses) => {
  const read = readFrom({ ...others, ...files });
  expect(await findContactAddresses(readerOf(read), parseRpsl(text))).toEqual({
    addresses,
    altered: null,
    unreachable: null,
  });
});

const ofRole = { "role/B-R": "admin-c: C-P", "person/C-P": "e-mail: c@example.invalid" };

test.each([
  ["person/A-P", { "person/A-P": "contact: irc: a\ncontact: a (at) example.org" }, "contact", 2, 2],
  ["role/B-R", { "role/B-R": "e-mail: b@nospam.example.org" }, "e-mail", 1, 1],
  ["person/C-P", { ...ofRole, "mntner/A-MNT": "e-mail: m at example.org" }, "e-mail", 1, 1],
  ["mntner/A-MNT", { "mntner/A-MNT": "contact: m[at]example.org" }, "contact", 1, 1],
  ["organisation/ORG-A", { "organisation/ORG-A": "e-mail: o@removethis.example.org" }, "e-mail", 1, 1],
])(
  "without a usable address, the nearest altered one is in %s",
  async (object, files, key, position, count) => {
    const altered = { object, key, position, count };
    expect(await findContactAddresses(readerOf(readFrom(files)), autNum)).toEqual({
      addresses: [],
      altered,
      unreachable: null,
    });
  },
);

test("duplicates differ only in the case of the host", () => {
  expect(removeDuplicates(["Ada@Example.org", "Ada@example.ORG", "ada@example.org"])).toEqual([
    "Ada@example.org",
    "ada@example.org",
  ]);
});
