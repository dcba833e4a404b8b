/** Nodes that are removed from the profile, and tasks that are deleted from the database. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { addTask, findUnfinishedOnNode } from "#server/features/peerings/deployment/task-store.ts";
import { createTestDatabase, describeShareOfDatabases, openAsServer } from "../../support/databases.ts";
import { caller, waitForTask, peerUpdate, signUp } from "./participant.ts";
import { sharedNetwork } from "./shared-network.ts";

const asn = "4242420001";
const dayMs = 24 * 3_600_000;

test("a peering on a node that was removed from the profile is shown as unknown, and can be deleted", async () => {
  await using database = await createTestDatabase();
  let cookie = "";
  {
    await using network = await sharedNetwork(database.url);
    const participant = await signUp(network.urls[0] ?? "", asn);
    cookie = participant.cookie;
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: asn },
      peerUpdate({ node: "za01" }),
    ]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  }
  await using network = await sharedNetwork(database.url, { without: "za01" });
  const participant = { asn, cookie, call: caller(network.urls[0] ?? "", cookie) };
  expect(await participant.call(calls.getPeerStatus, { username: asn })).toMatchObject([
    {
      node: "za01",
      known: false,
      findings: [{ code: "node-unreachable", facts: { host: "za01.demo.dn42", cause: null } }],
    },
  ]);
  const { taskID } = await participant.call(calls.deletePeer, { username: asn, node: "za01" });
  expect(await waitForTask(participant, taskID)).toMatchObject({
    status: "success",
    steps: [
      "Checked and saved the change.",
      "za01.demo.dn42 is no longer one of the provider's nodes and was not called.",
    ],
  });
  expect(await participant.call(calls.getPeeredNodes, { username: asn })).toEqual([]);
});

describeShareOfDatabases("tasks", (openTestDatabase) => {
  test("are deleted thirty days after they finished, and never while they wait", async () => {
    const at = await openTestDatabase();
    await using database = await openAsServer(at);
    const { db } = database;
    const task = (node: string, now: number) =>
      addTask(
        db,
        { asn, node, generation: 1, request: null, previous: null, waitMs: 1 },
        { now, retentionTime: now },
      );
    const [old, recent] = [await task("syd01", 0), await task("per01", 0)];
    await task("sin01", 0);
    await db.updateTable("tasks").set({ status: "success", ended_at: 0 }).where("id", "=", old.id).execute();
    await db
      .updateTable("tasks")
      .set({ status: "success", ended_at: 1 })
      .where("id", "=", recent.id)
      .execute();
    await task("de01", 30 * dayMs + 1);
    const left = await db.selectFrom("tasks").select("node").orderBy("node").execute();
    expect(left.map(({ node }) => node)).toEqual(["de01", "per01", "sin01"]);
    expect(await findUnfinishedOnNode(db, "sin01")).toHaveLength(1);
  });
});
