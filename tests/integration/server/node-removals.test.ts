/** Removed nodes whose peerings the server takes down, and nodes that join again before. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Transport } from "#contract/client.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import type { Database } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { listConflictsOnNode } from "#server/features/peerings/conflicts/peering-conflicts.ts";
import { findRekey, startRekey } from "#server/features/peerings/node-keys/rekey-rows.ts";
import { listPendingRemovals } from "#server/features/peerings/removed-nodes/pending-removals.ts";
import { removeNode } from "#server/features/peerings/removed-nodes/remove-node.ts";
import { addNodes, readNodes } from "#server/nodes/node-rows.ts";
import { describeWithDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import { deployPeering, type Participant, setNodeMode, signUp, submitPeering } from "./participant.ts";
import { type ProfileServer, profileServer } from "./profile-server.ts";

const agents = new Map<string, Transport>();

function through(agent: Transport, node: string): Transport {
  agents.set(node, agent);
  return agent;
}

/** The AS numbers of the peerings that a node runs. */
async function listRunning(node: string): Promise<readonly string[]> {
  const stored = await createAgentClient(agents).ask(node, "peerings", undefined);
  return stored.flatMap(({ asn, peering }) => (peering === null ? [] : [asn])).toSorted();
}

describeWithDatabase("removed nodes", { postgres: "share" }, (openTestDatabase) => {
  const parts = new AsyncDisposableStack();
  let at: TestDatabase;
  let server: ProfileServer;
  let database: Database;
  let one: Participant;
  let two: Participant;

  beforeAll(async () => {
    at = await openTestDatabase();
    server = parts.use(await profileServer({}, { at, through, reconcileEveryMs: 50 }));
    database = parts.use(await openAsServer(at));
    one = await signUp(server.url, "4242420001");
    two = await signUp(server.url, "4242420002");
  });
  afterAll(() => parts.disposeAsync());

  const remove = (node: string) =>
    removeNode(
      { db: database.db, clock: Date.now, writeNotice: async () => undefined },
      { node, reason: null, keep: false },
    );
  const listPending = async () => (await listPendingRemovals(database.db)).map(({ node }) => node);

  test("are taken down although the server compares them with the database all the time", async () => {
    for (const participant of [one, two]) await deployPeering(participant, "za01");
    await startRekey(database.db, { node: "za01", now: Date.now(), switchAt: Date.now() + 86_400_000 });
    await remove("za01");
    // Another node may join with the name at once.
    expect(await findRekey(database.db, "za01")).toBe(null);
    await expect.poll(listPending, { timeout: 5_000 }).toEqual([]);
    expect(await listRunning("za01")).toEqual([]);
    expect(await listConflictsOnNode(database.db, "za01")).toEqual([]);
  });

  test("that join again keep what they run until the operator decides, and all later peerings", async () => {
    const { db } = database;
    await deployPeering(one, "per01");
    await setNodeMode(server.url, "per01", "offline");
    const node = (await readNodes(db)).filter(({ name }) => name === "per01");
    await remove("per01");
    const isWaiting = () =>
      server.log.some(({ msg }) => msg === "the peerings of a removed node cannot be taken down yet");
    await expect.poll(isWaiting, { timeout: 5_000 }).toBe(true);
    expect(await listPending()).toEqual(["per01"]);
    await db.transaction().execute(async (tx) => {
      await lockAllPeerings(tx);
      await addNodes(tx, node, Date.now());
    });
    expect(await listPending()).toEqual([]);
    await setNodeMode(server.url, "per01", "normal");
    await expect
      .poll(() => listConflictsOnNode(db, "per01"), { timeout: 5_000 })
      .toMatchObject([{ asn: one.asn, reason: "missing" }]);
    await expect(submitPeering(one, "per01")).rejects.toMatchObject({ status: 409 });
    await deployPeering(two, "per01");
    expect(await listRunning("per01")).toEqual([one.asn, two.asn]);
  });
});
