import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { prefix } from "../../domain/prefix.ts";
import { writeRegistryFiles } from "./fixtures/registry-files.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createFolderSource } from "./registry-source.ts";

let folder: string;
beforeEach(async () => {
  folder = await createFolder();
});

async function put(files: Readonly<Record<string, string>>): Promise<Registry> {
  await writeRegistryFiles(folder, files);
  return createRegistry({ source: createFolderSource(folder), maxAgeDays: 7, clock: () => 0 });
}

const ofA = { "aut-num/AS4242420001": "mnt-by: A-MNT" };

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ["a maintainer in any case", { "inetnum/172.20.0.0_26": "mnt-by: a-mnt" }, ["172.20.0.1"]],
  [
    "a block, without a nearer one of another holder",
    { "inetnum/172.20.0.0_24": "mnt-by: A-MNT", "inetnum/172.20.0.64_26": "mnt-by: B-MNT" },
    ["172.20.0.1"],
  ],
  ["the registry's own blocks", { "inetnum/172.20.0.0_14": "mnt-by: DN42-MNT" }, []],
  ["a maintainer in a comment", { "inetnum/172.20.0.0_24": "mnt-by: B-MNT # formerly A-MNT" }, []],
  ["an origin in a comment", { "route/172.20.0.0_24": "origin: AS4242420002 # formerly AS4242420001" }, []],
  [
    "a maintainer before a comment",
    { "inetnum/172.20.0.0_24": "mnt-by: A-MNT # formerly B-MNT" },
    ["172.20.0.1", "172.20.0.65"],
  ],
])("the addresses of an AS, by %s", async (_, files, held) => {
  const registry = await put({ "aut-num/AS4242420001": "mnt-by: A-MNT, DN42-MNT", ...files });
  const addresses = ["172.20.0.1", "172.20.0.65"];
  const holds = await Promise.all(addresses.map((address) => registry.holdsAddress("4242420001", address)));
  expect(addresses.filter((_address, index) => holds[index])).toEqual(held);
});

test.each([
  ["fd42:d42:d42:81:0:0:beef::_112", "fd42:d42:d42:81::beef:1"],
  ["fd42:1:2:3:4:5:beef::_112", "fd42:1:2:3:4:5:beef:1"],
  ["fd42:1:2:3:4:5:beef:0_112", "fd42:1:2:3:4:5:beef:1"],
  ["fd42:1:2:3:4:5:6::_127", "fd42:1:2:3:4:5:6:1"],
  ["fd42:1:2:3:4:5:6:0_127", "fd42:1:2:3:4:5:6:1"],
  ["fd42:1:2:3:4:5:6:7_128", "fd42:1:2:3:4:5:6:7"],
  ["FD42:0001:0:0::_48", "fd42:1::1"],
  ["fd42:1:0:0:0:0:0:0_48", "fd42:1::1"],
  ["fd42:0:0:1::_64", "fd42:0:0:1::1"],
  ["fd42::1:0:0:0:0_64", "fd42:0:0:1::1"],
  ["fd00:0::_8", "fd42::1"],
  ["fd00::_8", "fd42::1"],
  ["::_0", "fd42::1"],
  ["::ffff:0:0_96", "::ffff:1.2.3.4"],
])("inet6num/%s covers %s", async (name, address) => {
  const registry = await put({ ...ofA, [`inet6num/${name}`]: "mnt-by: A-MNT" });
  expect(await registry.holdsAddress("4242420001", address)).toBe(true);
});

test.each(["fd42:1:2:3:4:5:beef::_112", "fd42:1:2:3:4:5:beef:0_112", "FD42:1:2:3:4:5:BEEF:0000_112"])(
  "inet6num/%s is nearer than a wider block",
  async (name) => {
    const registry = await put({
      ...ofA,
      "aut-num/AS4242420002": "mnt-by: B-MNT",
      "inet6num/fd42:1:2::_48": "mnt-by: A-MNT",
      "inet6num/fd42:1:2:3::_64": "mnt-by: A-MNT",
      [`inet6num/${name}`]: "mnt-by: B-MNT",
      [`route6/${name}`]: "origin: AS4242420003",
    });
    const holders = ["4242420001", "4242420002", "4242420003"];
    const holds = holders.map((asn) => registry.holdsAddress(asn, "fd42:1:2:3:4:5:beef:1"));
    expect(await Promise.all(holds)).toEqual([false, true, false]);
    expect(await registry.holdsAddress("4242420001", "fd42:1:2:3:4:5:bee0:1")).toBe(true);
    const claim = { prefix: prefix("fd42:1:2:3:4:5:beef:0/112"), origin: "4242420001" };
    const evidence = {
      routes: [{ name: `route6/${name}`, length: 112 }],
      block: { name: `inet6num/${name}` },
    };
    expect(await registry.findEvidence([claim])).toMatchObject([evidence]);
  },
);

test("a file whose name is not a prefix covers nothing", async () => {
  const names = ["fd42:1::1_64", "fd42:1::_064", "fd42:1::_129", "fd42:1::", ".fd42:1::_48", "172.20.0.0_24"];
  const files = Object.fromEntries(names.map((name) => [`inet6num/${name}`, "mnt-by: A-MNT"]));
  const registry = await put({ ...ofA, ...files });
  expect(await registry.holdsAddress("4242420001", "fd42:1::1")).toBe(false);
  expect(await registry.holdsAddress("4242420001", "172.20.0.1")).toBe(false);
});

test("a new, renamed or deleted file is visible at once", async () => {
  const registry = await put({ ...ofA, "inet6num/fd42:1::_48": "mnt-by: A-MNT" });
  const holds = () => registry.holdsAddress("4242420001", "fd42:1::1");
  // Many rounds, since two changes within one tick of the file system's clock leave the same time on the folder.
  for (let round = 0; round < 20; round += 1) {
    expect(await holds()).toBe(true);
    await put({ "inet6num/fd42:1:0:0::_64": "mnt-by: B-MNT" });
    expect(await holds()).toBe(false);
    const block = (name: string) => join(folder, "data/inet6num", name);
    await rename(block("fd42:1:0:0::_64"), block("fd42:1:0:0:1::_80"));
    expect(await holds()).toBe(true);
    await rm(block("fd42:1:0:0:1::_80"));
  }
});

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ["its own block", { "inetnum/172.20.0.0_24": "mnt-by: A-MNT" }, ["172.20.0.1", "172.20.0.65"]],
  ["an open block", { "inetnum/172.20.0.0_14": "mnt-by: A-MNT\npolicy: open" }, []],
  [
    "a route object in an open block",
    { "inetnum/172.20.0.0_14": "mnt-by: A-MNT\npolicy: open", "route/172.20.0.0_26": "origin: AS4242420001" },
    ["172.20.0.1"],
  ],
  [
    "a route object, without a nearer block of another holder",
    {
      "inetnum/172.20.0.0_14": "mnt-by: DN42-MNT",
      "inetnum/172.20.0.64_26": "mnt-by: B-MNT",
      "route/172.20.0.0_24": "origin: AS4242420001",
    },
    ["172.20.0.1"],
  ],
  ["nothing", { "inetnum/172.20.0.0_24": "mnt-by: B-MNT" }, []],
])("the own network of an AS, by %s", async (_, files, own) => {
  const registry = await put({ ...ofA, ...files });
  const addresses = ["172.20.0.1", "172.20.0.65"];
  const found = await Promise.all(addresses.map((each) => registry.isInOwnNetwork("4242420001", each)));
  expect(addresses.filter((_address, index) => found[index])).toEqual(own);
});
