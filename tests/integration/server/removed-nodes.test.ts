/** Nodes that are removed from the profile, and tasks that are deleted from the database. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { addTask, findUnfinishedOnNode } from "#server/features/peerings/deployment/task-store.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { caller, deployPeering, signUp, waitForTask } from "./participant.ts";
import { demoProfile, profileServer } from "./profile-server.ts";

const asn = "4242420001";
const dayMs = 24 * 3_600_000;

describeWithDatabase("what was removed", { postgres: "share" }, (openTestDatabase) => {
  test("a peering on a node that was removed from the profile is shown as unknown, and can be deleted", async () => {
    const at = await openTestDatabase();
    let cookie = "";
    {
      await using server = await profileServer({}, { at });
      const participant = await signUp(server.url, asn);
      ({ cookie } = participant);
      await deployPeering(participant, "za01");
    }
    const nodes = demoProfile.nodes.filter(({ name }) => name !== "za01");
    await using server = await profileServer({}, { at, profile: { nodes } });
    const participant = { asn, cookie, call: caller(server.url, cookie) };
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

  test("tasks are deleted thirty days after they finished, and never while they wait", async () => {
    await using database = await openAsServer(await openTestDatabase());
    const { db } = database;
    const add = async (node: string, now: number, endedAt: number | null = null) => {
      const task = { asn, node, generation: 1, request: null, previous: null, waitMs: 1 };
      const { id } = await addTask(db, task, { now, retentionTime: now });
      const ended = { status: "success", ended_at: endedAt } as const;
      if (endedAt !== null) await db.updateTable("tasks").set(ended).where("id", "=", id).execute();
    };
    await add("syd01", 0, 0);
    await add("per01", 0, 1);
    await add("sin01", 0);
    await add("de01", 30 * dayMs + 1);
    const left = await db.selectFrom("tasks").select("node").orderBy("node").execute();
    expect(left.map(({ node }) => node)).toEqual(["de01", "per01", "sin01"]);
    expect(await findUnfinishedOnNode(db, "sin01")).toHaveLength(1);
  });
});
