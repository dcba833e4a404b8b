import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { database, peeringOf, routed } from "../fixtures/peerings.ts";
import { createStateFile } from "./state-file.ts";

let folder = "";
beforeEach(async () => {
  folder = await createFolder();
});

const state = [
  { asn: "4242420001", generation: 3, routed: routed(peeringOf(1)), database },
  { asn: "4242420002", generation: 7, routed: null, database },
  {
    asn: "4242420003",
    generation: 9,
    routed: routed(peeringOf(3, { nodeKey: peeringOf(9).publicKey })),
    database,
  },
];

test("loads the saved state, including deleted peerings", async () => {
  const file = createStateFile(join(folder, "new"), "syd01");
  expect(await file.load()).toEqual([]);
  await file.save(state);
  await file.save(state);
  expect(await createStateFile(join(folder, "new"), "syd01").load()).toEqual(state);
  expect(await readdir(join(folder, "new"))).toEqual(["state.json"]);
  expect((await stat(join(folder, "new", "state.json"))).mode & 0o777).toBe(0o600);
});

test.each([
  ["", "Invalid type: Expected Object but received undefined"],
  ['{"version":2,"node":"syd01","peerings":[]}', "Invalid type: Expected 1 but received 2"],
])("%j is rejected with a message that says what to do", async (text, why) => {
  await writeFile(join(folder, "state.json"), text);
  await expect(createStateFile(folder, "syd01").load()).rejects.toThrow(
    `${folder}/state.json is not a valid file of version 1 (${why}). Move it away to start with an empty ` +
      "state; the server then sends every peering again.",
  );
});

test("rejects the state of another node", async () => {
  await createStateFile(folder, "per01").save(state);
  await expect(createStateFile(folder, "syd01").load()).rejects.toThrow(
    "belongs to node per01, but this node is syd01.",
  );
  expect(await readFile(join(folder, "state.json"), "utf8")).toContain('"node":"per01"');
});
