import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { openNodeKey } from "./node-key.ts";

let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

test("creates the key once, readable only by its owner", async () => {
  const first = await openNodeKey(join(folder, "state"));
  expect(await openNodeKey(join(folder, "state"))).toEqual(first);
  const path = join(folder, "state", "wireguard.key");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).toBe(`${first.privateKey}\n`);
});

test("derives the same public key as wg", async () => {
  await writeFile(join(folder, "wireguard.key"), "dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=\n");
  expect((await openNodeKey(folder)).publicKey).toBe("hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=");
});

test("does not replace a file without a key", async () => {
  await writeFile(join(folder, "wireguard.key"), "precious");
  await expect(openNodeKey(folder)).rejects.toThrow("does not contain a WireGuard key");
});
