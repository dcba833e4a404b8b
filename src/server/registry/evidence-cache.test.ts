import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { prefix } from "../../domain/prefix.ts";
import { createEvidenceReaders } from "./evidence-cache.ts";
import { type FileAccess, fileSystem } from "./file-access.ts";
import { writeRegistryFiles } from "./fixtures/registry-files.ts";
import { createObjectReader, type ReadObject } from "./objects.ts";
import { createRegistry } from "./registry.ts";

let folder: string;
let readPaths: string[];
let listedPaths: string[];

beforeEach(async () => {
  folder = await createFolder();
  readPaths = [];
  listedPaths = [];
});

const nameOf = (path: string) => path.slice(join(folder, "data/").length);

const countingFiles: FileAccess = {
  ...fileSystem,
  readText: (path, root) => {
    readPaths.push(nameOf(path));
    return fileSystem.readText(path, root);
  },
  listNames: (path, root) => {
    listedPaths.push(nameOf(path));
    return fileSystem.listNames(path, root);
  },
};

/** A registry of `count` networks, each with an AS, a /26, and the objects of its route. */
async function writeNetworks(count: number): Promise<void> {
  const objects = Array.from({ length: count }, (_, index) => {
    const name = `172.20.${Math.floor(index / 4)}.${(index % 4) * 64}_26`;
    const asn = 4_242_420_000 + index;
    return {
      [`aut-num/AS${asn}`]: `mnt-by: M${index}-MNT`,
      [`route/${name}`]: `origin: AS${asn}\nmax-length: 26`,
      [`inetnum/${name}`]: `mnt-by: M${index}-MNT`,
    };
  });
  const whole = { "inetnum/172.20.0.0_14": "mnt-by: DN42-MNT" };
  await writeRegistryFiles(folder, Object.assign(whole, ...objects));
}

const locate = async () => ({ path: folder, isImmutable: true, fetchedAt: null });

/** The registry in a clone that the server keeps, whose files never change. */
function openRegistry() {
  const source = { locate, refresh: async () => true };
  return createRegistry({ source, maxAgeDays: 7, clock: () => 0, files: countingFiles });
}

const origin = "4242420000";
/** 200 prefixes of one AS in ten networks of others. */
const claims = Array.from({ length: 200 }, (_, index) => ({
  prefix: prefix(`172.20.${index % 10}.${Math.floor(index / 10) * 2}/31`),
  origin,
}));

test("200 prefixes read each object once, whatever the size of the registry, and again nothing", async () => {
  const reads: number[] = [];
  for (const networks of [40, 400]) {
    await writeNetworks(networks);
    const registry = openRegistry();
    readPaths = [];
    listedPaths = [];
    const first = await registry.findEvidence(claims);
    expect(first.every((evidence) => evidence?.routes.length === 1)).toBe(true);
    // Ten networks with a route and a block each, the block around them, and the AS.
    expect(new Set(readPaths).size).toBe(readPaths.length);
    expect(listedPaths.toSorted()).toEqual(["inetnum", "route"]);
    reads.push(readPaths.length);

    const before = readPaths.length;
    expect(await registry.findEvidence(claims)).toEqual(first);
    expect(readPaths).toHaveLength(before);
    expect(listedPaths).toHaveLength(2);
  }
  expect(reads).toEqual([22, 22]);
});

const readIndex = async () => ({ names: new Map(), lengths: [] });

/** Readers of a folder of the operator. */
function createFolderReaders(now: () => number) {
  const registryFolder = { path: folder, isImmutable: false, files: countingFiles, now };
  return createEvidenceReaders(registryFolder, { read: createObjectReader(registryFolder), readIndex });
}

/** Readers of a clone that never changes, with another way to read an object. */
function createReaders(read: ReadObject) {
  const clone = { path: folder, isImmutable: true, files: fileSystem, now: () => 0 };
  return createEvidenceReaders(clone, { read, readIndex });
}

test("in a folder of the operator, a replaced object is read at once, and an edited one after ten seconds", async () => {
  let now = 0;
  const readers = createFolderReaders(() => now);
  const readMaintainer = async () => (await readers.open().read("aut-num", "AS1"))?.get("mnt-by");
  const edit = (maintainer: string) => writeRegistryFiles(folder, { "aut-num/AS1": `mnt-by: ${maintainer}` });

  await edit("A-MNT");
  expect(await readMaintainer()).toEqual(["A-MNT"]);
  now = 2_000;
  expect(await readMaintainer()).toEqual(["A-MNT"]);
  await edit("B-MNT");
  now = 11_999;
  expect(await readMaintainer()).toEqual(["A-MNT"]);
  now = 12_000;
  expect(await readMaintainer()).toEqual(["B-MNT"]);
  await rm(join(folder, "data/aut-num/AS1"));
  await edit("C-MNT");
  expect(await readMaintainer()).toEqual(["C-MNT"]);
});

test("one request reads an object once, even if it is edited meanwhile", async () => {
  const readers = createFolderReaders(() => 0);
  const reader = readers.open();
  await writeRegistryFiles(folder, { "aut-num/AS1": "mnt-by: A-MNT" });
  const first = await reader.read("aut-num", "AS1");
  await writeRegistryFiles(folder, { "aut-num/AS1": "mnt-by: B-MNT" });
  expect(await reader.read("aut-num", "AS1")).toBe(first);
  expect((await readers.open().read("aut-num", "AS1"))?.get("mnt-by")).toEqual(["B-MNT"]);
});

test("an object that could not be read is read again by the next request", async () => {
  await writeNetworks(1);
  let reads = 0;
  const readers = createReaders(async () => {
    reads += 1;
    if (reads === 1) throw new Error("unreadable");
    return new Map();
  });
  await expect(readers.open().read("aut-num", "AS1")).rejects.toThrow("unreadable");
  expect(await readers.open().read("aut-num", "AS1")).toEqual(new Map());
});

test("at most 20,000 objects of a kind are cached", async () => {
  await writeNetworks(1);
  const read: string[] = [];
  const reader = createReaders(async (_, name) => {
    read.push(name);
    return null;
  }).open();
  for (let asn = 1; asn <= 20_000; asn += 1) await reader.read("aut-num", `AS${asn}`);
  await reader.read("aut-num", "AS1");
  expect(read).toHaveLength(20_000);
  await reader.read("aut-num", "AS20001");
  await reader.read("aut-num", "AS1");
  expect(read.slice(20_000)).toEqual(["AS20001", "AS1"]);
});
