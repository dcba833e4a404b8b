import { readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import { prefix } from "../../domain/prefix.ts";
import { writeRegistryFiles } from "./fixtures/registry-files.ts";
import { fileSystem } from "./file-access.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createFolderSource } from "./registry-source.ts";
import { formatBlockName, formatRouteObjectName } from "./route-evidence.ts";

const now = Date.UTC(2026, 0, 20);
const samplePath = fileURLToPath(new URL("../../demo/registry", import.meta.url));
const sample = openRegistry(samplePath);

function openRegistry(path: string): Registry {
  return createRegistry({ source: createFolderSource(path), maxAgeDays: 7, clock: () => now });
}

const rows = (await readFile(join(samplePath, "README.md"), "utf8"))
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .flatMap(([, asn = "", , mail = "", held = ""]) => (/^\d+$/.test(asn) ? [{ asn, mail, held }] : []));

test("the README of the sample registry lists its AS numbers", () => {
  expect(rows.length).toBeGreaterThan(15);
});

test.each(rows.filter(({ asn }) => asn !== "4242422227"))("AS$asn: $mail", async ({ asn, mail }) => {
  expect(await sample.findContacts(asn)).toMatchObject({
    found: true,
    addresses: mail === "none" ? [] : mail.split(", "),
  });
});

test("the sample registry has ASes with keys and without a mail address", async () => {
  expect(await sample.findKeys("4242420017")).toMatchObject({
    keys: [
      { type: "ssh-ed25519", maintainer: "RHEA-MNT" },
      { type: "ssh-rsa" },
      { type: "PGPKEY-F6CFDA79", fingerprint: "8191BE211E58131281C72471F062FFA5F6CFDA79" },
      { type: "pgp-fingerprint", publicKey: null },
    ],
    unusable: [],
  });
  expect(await sample.findKeys("4242420018")).toMatchObject({
    keys: [{ type: "ecdsa-sha2-nistp256" }],
    unusable: [{ maintainer: "SVEN-MNT", problem: { code: "unreadable-key", type: "ssh-ed25519" } }],
  });
  expect(await sample.findKeys("4242420014")).toEqual({ found: true, keys: [], unusable: [] });
});

test.each(rows)("only AS$asn holds its addresses", async ({ asn, held }) => {
  const [ipv4 = "", ipv6 = ""] = held.match(/[0-9a-f.:]+(?=\/\d)/g) ?? [];
  const addresses = [ipv4.replace(/0$/, "3"), `${ipv6}1`];
  for (const address of addresses) {
    expect(await sample.holdsAddress(asn, address)).toBe(true);
    expect(await sample.holdsAddress("4242420011", address)).toBe(false);
    expect(await sample.holdsAddress("4242420008", address)).toBe(asn === "4242420008");
  }
});

/** Whether an AS holds each of the addresses. */
const holds = async (asn: string, ...addresses: readonly string[]) =>
  Promise.all(addresses.map((address) => sample.holdsAddress(asn, address)));

test("an AS holds an address in any notation, also if another one is an origin of its route too", async () => {
  expect(await holds("4242420001", "172.20.18.5", "FD42:4242:0001:0:0::1")).toEqual([true, true]);
  expect(await holds("4242420016", "172.20.18.5")).toEqual([true]);
  const others = ["172.20.1.64", "172.20.0.1", "fd42:4242::1", "fe80::1", "8.8.8.8"];
  const malformed = ["nonsense", "172.20.1.3/26", ""];
  expect(await holds("4242420001", ...others, ...malformed)).not.toContain(true);
});

test.each(["4242429999", "", "0", "AS4242420001", "../person/ADA-DEMO", "4242420001/../AS4242420002"])(
  "%j is not in the registry",
  async (asn) => {
    expect(await sample.findContacts(asn)).toEqual({ found: false });
    expect(await sample.findKeys(asn)).toEqual({ found: false });
    expect(await sample.holdsAddress(asn, "172.20.1.3")).toBe(false);
  },
);

let folder: string;

beforeEach(async () => {
  folder = await createFolder();
});

async function put(files: Readonly<Record<string, string>>): Promise<Registry> {
  await writeRegistryFiles(folder, files);
  return openRegistry(folder);
}

test.each(["0", "4242420001x", "04242420001"])(
  "%j is no AS number, also with such an object",
  async (asn) => {
    const registry = await put({
      [`aut-num/AS${asn}`]: "admin-c: A-P\nmnt-by: A-MNT",
      "person/A-P": "e-mail: a@example.org",
      "inetnum/172.20.0.0_24": "mnt-by: A-MNT",
    });
    expect(await registry.findContacts(asn)).toEqual({ found: false });
    expect(await registry.holdsAddress(asn, "172.20.0.1")).toBe(false);
    expect(await registry.findHolder(asn)).toBe("(not in the registry)");
  },
);

test.each([
  ["mnt-by: A-MNT", "A-MNT"],
  ["mnt-by: B-MNT, a-mnt\nmnt-by: B-MNT", "A-MNT, B-MNT"],
  ["mnt-by: DN42-MNT", "(no maintainer)"],
  ["admin-c: A-P", "(no maintainer)"],
])("the holder of an AS with %j is %j", async (text, holder) => {
  const registry = await put({ "aut-num/AS4242420001": text });
  expect(await registry.findHolder("4242420001")).toBe(holder);
});

test("maintainers of the profile that keep the registry prove nothing, and the holder stays the same", async () => {
  await writeRegistryFiles(folder, {
    "aut-num/AS4242420001": "mnt-by: KEEPER-MNT\nmnt-by: ADA-MNT",
    "mntner/KEEPER-MNT": `auth: pgp-fingerprint ${"0".repeat(40)}\ne-mail: keeper@example.org`,
    "mntner/ADA-MNT": `auth: pgp-fingerprint ${"1".repeat(40)}\nauth: PGP-1\ne-mail: ada@example.org`,
    "inetnum/172.20.1.0_26": "mnt-by: ADA-MNT",
    "inetnum/172.20.2.0_26": "mnt-by: KEEPER-MNT",
  });
  const read = async (registryMaintainers: readonly string[]) => {
    const source = createFolderSource(folder);
    const registry = createRegistry({ source, maxAgeDays: 7, clock: () => now, registryMaintainers });
    const asn = "4242420001";
    const [keys, contacts] = [await registry.findKeys(asn), await registry.findContacts(asn)];
    return {
      keys: keys.found && keys.keys.map(({ fingerprint }) => fingerprint[0]),
      unusable: keys.found && keys.unusable.length,
      addresses: contacts.found && contacts.addresses,
      holder: await registry.findHolder(asn),
      holds: [
        await registry.holdsAddress(asn, "172.20.1.1"),
        await registry.holdsAddress(asn, "172.20.2.1"),
        await registry.isInOwnNetwork(asn, "172.20.1.1"),
        await registry.isInOwnNetwork(asn, "172.20.2.1"),
      ],
    };
  };
  const expected = { unusable: 1, holder: "ADA-MNT, KEEPER-MNT" };
  expect(await read(["KEEPER-MNT"])).toEqual({
    ...expected,
    keys: ["1"],
    addresses: ["ada@example.org"],
    holds: [true, false, true, false],
  });
  expect(await read([])).toEqual({
    ...expected,
    keys: ["0", "1"],
    addresses: ["keeper@example.org", "ada@example.org"],
    holds: [true, true, true, true],
  });
});

test("without a clone, nothing is found", async () => {
  const registry = createRegistry({
    source: { locate: async () => null, refresh: async () => false },
    maxAgeDays: 7,
    clock: () => now,
  });
  expect(await registry.findContacts("4242420001")).toEqual({ found: false });
  expect(await registry.findKeys("4242420001")).toEqual({ found: false });
  expect(await registry.findHolder("4242420001")).toBe(null);
  expect(await registry.holdsAddress("4242420001", "172.20.1.3")).toBe(false);
  expect(await registry.findEvidence([claim])).toEqual([null]);
  expect(await registry.readAge()).toEqual({ days: null, stale: true });
  expect(await registry.refresh()).toBe(false);
});

test("a name that leads outside the folder is ignored", async () => {
  const registry = await put({
    "aut-num/AS4242420001":
      "admin-c: ../../../PERSON\nadmin-c: ..\nadmin-c: .\nadmin-c: A/../../../PERSON\norg: /etc/passwd",
  });
  await writeFile(join(folder, "PERSON"), "e-mail: out@example.org");
  expect(await registry.findContacts("4242420001")).toEqual({
    found: true,
    addresses: [],
    altered: null,
    unreachable: null,
  });
});

test("a folder in place of an object, and a file in place of a folder, contain no object", async () => {
  const registry = await put({
    "aut-num/AS4242420001": "admin-c: A-P\ntech-c: B-P\nmnt-by: A-MNT\norg: ORG-A",
    "person/A-P/readme": "e-mail: a@example.org",
    "person/B-P": "e-mail: b@example.org",
    role: "e-mail: c@example.org",
    "inetnum/172.20.0.0_24": "mnt-by: A-MNT",
    "inetnum/172.20.0.0_25/readme": "mnt-by: B-MNT",
    route: "origin: AS4242420002",
  });
  expect(await registry.findContacts("4242420001")).toMatchObject({ addresses: ["b@example.org"] });
  expect(await registry.holdsAddress("4242420001", "172.20.0.1")).toBe(true);
});

test("a change of the files is visible at once", async () => {
  const registry = await put({
    "aut-num/AS4242420001": "admin-c: A-P",
    "person/A-P": "e-mail: a@example.org",
  });
  expect(await registry.findContacts("4242420001")).toMatchObject({ addresses: ["a@example.org"] });
  await put({ "person/A-P": "e-mail: b@example.org" });
  expect(await registry.findContacts("4242420001")).toMatchObject({ addresses: ["b@example.org"] });
  await put({ "inetnum/172.20.1.0_24": "mnt-by: A-MNT" });
  expect(await registry.findEvidence([claim])).toMatchObject([{ block: { maintainers: ["A-MNT"] } }]);
  await put({ "inetnum/172.20.1.0_24": "mnt-by: B-MNT" });
  expect(await registry.findEvidence([claim])).toMatchObject([{ block: { maintainers: ["B-MNT"] } }]);
});

const claim = { prefix: prefix("172.20.1.32/27"), origin: "4242420001" };

test("evidence contains the covering route objects, nearest first, the nearest block, and the origin's maintainers", async () => {
  const registry = await put({
    "aut-num/AS4242420001": "mnt-by: A-MNT, DN42-MNT",
    "route/172.20.1.0_26":
      "origin: AS4242420001\norigin: as4242420002, <b>AS4242420003, AS4242420004</b>\nmax-length: 27\nmnt-by: A-MNT <B>C <B>C-MNT D-MNT</B>",
    "route/172.20.0.0_16": "origin: AS4242420003\nmax-length: up to 27\nmnt-by: DN42-MNT",
    "route/172.20.0.0_15": "origin: AS4242420003\nmax-length: 27 bits",
    "route/172.20.1.32_28": "origin: AS4242420001",
    "route6/172.20.1.32_27": "origin: AS4242420001",
    "inetnum/172.20.1.0_24": "mnt-by: B-MNT",
    "inetnum/172.20.0.0_14": "mnt-by: DN42-MNT",
  });
  const origins = ["4242420001", "4242420002"];
  const nearest = { length: 26, origins, maxLength: 27, maintainers: ["A-MNT"] };
  const unclear = { length: 16, origins: ["4242420003"], maxLength: null, maintainers: [] };
  expect(await registry.findEvidence([claim])).toEqual([
    {
      routes: [
        { ...nearest, name: "route/172.20.1.0_26" },
        { ...unclear, name: "route/172.20.0.0_16" },
        { ...unclear, name: "route/172.20.0.0_15", length: 15 },
      ],
      block: { name: "inetnum/172.20.1.0_24", maintainers: ["B-MNT"] },
      originMaintainers: ["A-MNT"],
    },
  ]);
});

test("an IPv6 claim uses the objects for IPv6", async () => {
  const registry = await put({
    "aut-num/AS1": "",
    "route6/fd42:1::_48": "origin: AS4242420001",
    "inet6num/fd00::_8": "mnt-by: DN42-MNT",
  });
  const ipv6 = { prefix: prefix("fd42:1::/64"), origin: "4242420001" };
  const routes = [{ name: "route6/fd42:1::_48", length: 48 }];
  const block = { name: "inet6num/fd00::_8", maintainers: [] };
  expect(await registry.findEvidence([ipv6])).toMatchObject([{ routes, block, originMaintainers: null }]);
});

test.each([
  ["172.20.1.0/26", "route/172.20.1.0_26", "inetnum/172.20.1.0_26"],
  ["fd42:1::/48", "route6/fd42:1::_48", "inet6num/fd42:1::_48"],
])("the registry objects of %s are %s and %s", (text, route, block) => {
  expect(formatRouteObjectName(prefix(text))).toBe(route);
  expect(formatBlockName(prefix(text))).toBe(block);
});

test("a missing or outdated registry tells no evidence and no holder; an unreadable file affects only its claim", async () => {
  expect(await openRegistry(join(folder, "missing")).findEvidence([claim])).toEqual([null]);
  await put({ "aut-num/AS4242420001": "" });
  const unreadable = "AS4242420003";
  const readText = (path: string, root: string) =>
    path.endsWith(unreadable) ? Promise.reject(new Error("EIO")) : fileSystem.readText(path, root);
  const source = createFolderSource(folder);
  const files = { ...fileSystem, readText };
  const registry = createRegistry({ source, maxAgeDays: 7, clock: () => now, files });
  const other = { ...claim, origin: "4242420003" };
  expect(await registry.findEvidence([claim, other])).toEqual([
    { routes: [], block: null, originMaintainers: [] },
    null,
  ]);
  await touch("HEAD", 8);
  expect(await registry.findEvidence([claim])).toEqual([null]);
  expect(await registry.findHolder("4242420001")).toBe(null);
});

test("only the first 200 claims are looked up", async () => {
  const registry = await put({ "aut-num/AS4242420001": "" });
  const found = await registry.findEvidence(Array.from({ length: 203 }, () => claim));
  expect(found.findIndex((evidence) => evidence === null)).toBe(200);
  expect(found.slice(200)).toEqual([null, null, null]);
});

test("a folder that is not a clone has no age", async () => {
  expect(await sample.readAge()).toEqual({ days: null, stale: false });
  expect(await sample.refresh()).toBe(true);
});

test("a clone is as old as its last fetch, or as the clone itself before the first fetch", async () => {
  const registry = await put({ "aut-num/AS4242420001": "" });
  await touch("HEAD", 8);
  expect(await registry.readAge()).toEqual({ days: 8, stale: true });
  await touch("FETCH_HEAD", 7);
  expect(await registry.readAge()).toEqual({ days: 7, stale: false });
});

test("a fetch that failed, which leaves an empty FETCH_HEAD, does not make a clone newer", async () => {
  const registry = await put({ "aut-num/AS4242420001": "" });
  await touch("HEAD", 90);
  await touch("logs/HEAD", 30);
  await touch("FETCH_HEAD", 0, "");
  expect(await registry.readAge()).toEqual({ days: 30, stale: true });
});

test("a registry without AS objects is stale", async () => {
  expect(await openRegistry(folder).readAge()).toEqual({ days: null, stale: true });
  const withoutAsns = await put({ "person/A-P": "e-mail: a@example.org" });
  expect(await withoutAsns.readAge()).toEqual({ days: null, stale: true });
  await rm(join(folder, "data"), { recursive: true, force: true });
  expect(await openRegistry(join(folder, "missing")).readAge()).toEqual({ days: null, stale: true });
});

async function touch(name: string, daysAgo: number, text = "x"): Promise<void> {
  await writeFiles(folder, { [`.git/${name}`]: text });
  const at = new Date(now - daysAgo * 86_400_000);
  await utimes(join(folder, ".git", name), at, at);
}
