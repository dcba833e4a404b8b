/** What the server reads from a registry with the oddities of a real one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRegistry, type Registry } from "#server/registry/registry.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import {
  contactRows,
  heldRows,
  holderAsns,
  writeRegistry,
} from "../../support/fixtures/generated-registry.ts";

let folder: string;
let registry: Registry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "generated-registry-"));
  await writeRegistry(folder);
  registry = createRegistry({
    source: createFolderSource(folder),
    maxAgeDays: 7,
    clock: () => Date.UTC(2026, 0, 20),
  });
});

afterAll(() => rm(folder, { recursive: true }));

test.each(contactRows)("AS$asn, $oddity: $addresses", async ({ asn, addresses, altered }) => {
  expect(await registry.findContacts(asn)).toEqual({ found: true, addresses, altered });
});

test.each(heldRows)("$address, $oddity: held by $holders", async ({ address, holders }) => {
  const held = await Promise.all(holderAsns.map((asn) => registry.holdsAddress(asn, address)));
  expect(holderAsns.filter((_, index) => held[index])).toEqual(holders);
});

test("an AS that is missing", async () => {
  expect(await registry.findContacts("4242429999")).toEqual({ found: false });
});
