/** The provider's nodes in the database: what an empty one takes over, and how servers learn of changes. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { addNodes, readNodes, replaceNode } from "#server/nodes/node-rows.ts";
import { nodesFileName } from "#server/nodes/nodes-file.ts";
import { toProviderNode } from "#server/nodes/provider-node.ts";
import { takeOverNodes } from "#server/nodes/take-over-nodes.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { caller, deployPeering, signUp, submitPeering } from "./participant.ts";
import { demoProfile, type ProfileServer, profileServer } from "./profile-server.ts";

const pinned = demoProfile.nodes.map((node, index) =>
  Object.assign({}, node, {
    agent: { url: `https://192.0.2.${index + 1}:4243`, fingerprint: Array(32).fill("AB").join(":") },
  }),
);
const taken = pinned.map(toProviderNode);

const namesOf = async (url: string) => {
  const { nodes } = await caller(url, "")(calls.provider, undefined);
  return nodes.map(({ name }) => name);
};
const refusal = (message: string) => ({ status: 422, body: { field: "node", message } });
const messagesOf = ({ log }: ProfileServer) => log.map(({ msg }) => msg);

describeWithDatabase("the provider's nodes", { postgres: "share" }, (openTestDatabase) => {
  test("are taken over from the profile once, and written to nodes.json with their pins", async () => {
    const at = await openTestDatabase();
    const first = await profileServer({}, { at, profile: { nodes: pinned } });
    onTestFinished(() => first[Symbol.asyncDispose]());
    expect(await namesOf(first.url)).toEqual(pinned.map(({ name }) => name));
    const path = join(first.dataDir, nodesFileName);
    const written = JSON.parse(await waitFor(() => readFile(path, "utf8"))) as { readonly nodes: unknown };
    expect(written.nodes).toEqual(taken);
    await first[Symbol.asyncDispose]();

    const second = await profileServer({}, { at, profile: { nodes: pinned.slice(0, 2) } });
    onTestFinished(() => second[Symbol.asyncDispose]());
    expect(await namesOf(second.url)).toHaveLength(pinned.length);
    expect(messagesOf(second)).toContain(
      "the nodes are in the database: [[nodes]] in the provider profile is ignored and can be removed",
    );
  });

  test("come from nodes.json if the database was lost, and not from an older profile", async () => {
    const at = await openTestDatabase();
    const before = await profileServer({}, { at, profile: { nodes: pinned } });
    const { dataDir } = before;
    const text = await waitFor(() => readFile(join(dataDir, nodesFileName), "utf8"));
    await before[Symbol.asyncDispose]();
    await using database = await openAsServer(await openTestDatabase());
    const folder = await createScratchFolder(onTestFinished);
    await writeFile(join(folder, nodesFileName), text);
    const log = { info: () => undefined, warn: () => undefined };
    const profile = { nodes: pinned.slice(0, 1) };
    await takeOverNodes({ db: database.db, profile, dataDir: folder, clock: Date.now, log });
    expect(await readNodes(database.db)).toEqual(taken);
  });

  test("of a demo are those of its profile again, in another database", async () => {
    const dataDir = await createScratchFolder(onTestFinished);
    const at = { kind: "sqlite", dataDir } as const;
    const first = await profileServer({}, { at });
    const names = await namesOf(first.url);
    await first[Symbol.asyncDispose]();
    for (const end of ["", "-wal", "-shm"]) await rm(join(dataDir, `peerdeck.sqlite${end}`), { force: true });
    const second = await profileServer({}, { at });
    onTestFinished(() => second[Symbol.asyncDispose]());
    expect(await namesOf(second.url)).toEqual(names);
  });

  test("are known to every server soon after another process has changed them", async () => {
    const at = await openTestDatabase();
    const servers = at.kind === "postgres" ? 2 : 1;
    const server = await profileServer({}, { at, servers });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const participant = await signUp(server.url, "4242420001");
    await deployPeering(participant, "syd01");
    await using other = await openAsServer(at);
    const [syd01, per01] = await readNodes(other.db);
    if (!syd01 || !per01) throw new Error("the demo has no nodes");
    await other.db.transaction().execute(async (tx) => {
      await lockAllPeerings(tx);
      await replaceNode(tx, { ...syd01, state: "closed" });
      await replaceNode(tx, { ...per01, state: "draining" });
      await addNodes(tx, [{ ...per01, name: "new01", state: "review" }], Date.now());
    });
    for (const url of server.urls)
      await waitFor(async () => {
        expect(await namesOf(url)).toContain("new01");
      });

    await expect(submitPeering(participant, "per01")).rejects.toMatchObject(
      refusal(
        "per01.demo.dn42 will be taken out of service and is closed to new peerings. Choose another node.",
      ),
    );
    await expect(submitPeering(participant, "new01")).rejects.toMatchObject(
      refusal("new01.demo.dn42 is closed to new peerings. Choose another node."),
    );
    await deployPeering(participant, "syd01", { remote_port: "51821" });
  });
});
