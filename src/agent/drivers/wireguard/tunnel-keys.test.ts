import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { openTunnelKeys } from "./tunnel-keys.ts";

let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

const tunnelWith = (nodeKey?: string) => routed(peeringOf(1, { nodeKey }));
const open = () => openTunnelKeys(folder);
const contentOf = (name: string) => readFile(join(folder, name), "utf8");

test("creates the first key once, readable only by its owner", async () => {
  folder = join(folder, "state");
  const first = await open();
  const again = await open();
  expect(again.ofNode.nodeKeys()).toEqual(first.ofNode.nodeKeys());
  expect((await stat(join(folder, "wireguard.key"))).mode & 0o777).toBe(0o600);
  expect(await contentOf("wireguard.key")).toBe(`${again.privateKeyOf(tunnelWith())}\n`);
});

test("derives the same public key as wg", async () => {
  await writeFile(join(folder, "wireguard.key"), "dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=\n");
  expect((await open()).ofNode.nodeKeys()).toEqual(["hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="]);
});

test("does not replace a file without a key", async () => {
  await writeFile(join(folder, "wireguard.key"), "precious");
  await expect(open()).rejects.toThrow("does not contain a WireGuard key");
});

test("an added key is in a file of its own, and is the same after a restart", async () => {
  const keys = await open();
  const added = await keys.ofNode.addNodeKey("r_1");
  expect((await stat(join(folder, "wireguard-r_1.key"))).mode & 0o777).toBe(0o600);
  const again = await open();
  expect(again.ofNode.nodeKeys()).toEqual([keys.ofNode.nodeKeys()[0], added]);
  expect(await again.ofNode.addNodeKey("r_1")).toBe(added);
  expect(await contentOf("wireguard-r_1.key")).toBe(`${again.privateKeyOf(tunnelWith(added))}\n`);
  expect(again.privateKeyOf(tunnelWith(added))).not.toBe(again.privateKeyOf(tunnelWith()));
});

test("a removed key is not one of the node's, but a tunnel may still run with it until the restart", async () => {
  const keys = await open();
  const added = await keys.ofNode.addNodeKey("r1");
  const privateKey = keys.privateKeyOf(tunnelWith(added));
  await keys.ofNode.removeNodeKey(added);
  expect(keys.has(tunnelWith(added))).toBe(false);
  expect(keys.privateKeyOf(tunnelWith(added))).toBe(privateKey);
  expect(await readdir(folder)).toEqual(["wireguard.key"]);
  const again = await open();
  expect(() => again.privateKeyOf(tunnelWith(added))).toThrow(added);
  expect(await again.ofNode.addNodeKey("r1")).not.toBe(added);
});

test("a file that was only half written is removed at the next start, and one that is complete has the key", async () => {
  const { ofNode } = await open();
  const added = await ofNode.addNodeKey("r1");
  await writeFile(join(folder, "wireguard-r2.key.new"), "half");
  expect((await open()).ofNode.nodeKeys()).toEqual([ofNode.nodeKeys()[0], added]);
  expect((await readdir(folder)).toSorted()).toEqual(["wireguard-r1.key", "wireguard.key"]);
  // As after a failure to sync the folder.
  const late = await open();
  await rename(join(folder, "wireguard-r1.key"), join(folder, "wireguard-r3.key"));
  expect(await late.ofNode.addNodeKey("r3")).toBe(added);
});
