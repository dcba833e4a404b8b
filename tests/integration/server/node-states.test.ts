/** Nodes that accept no new peerings, nodes that were removed, and tasks that are deleted from the database. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { changeNode } from "#server/nodes/change-node.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import { addTask, findUnfinishedOnNode } from "#server/features/peerings/deployment/task-store.ts";
import { describeWithDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import {
  deletePeering,
  deployPeering,
  type Participant,
  peerUpdate,
  signUp,
  submitPeering,
} from "./participant.ts";
import { demoProfile, type ProfileServer, profileServer } from "./profile-server.ts";

const dayMs = 24 * 3_600_000;
const nodes = demoProfile.nodes.map((node) =>
  Object.assign({}, node, { maxPeerings: node.name === "syd01" ? 1 : node.name === "ny01" ? 0 : null }),
);
const closed = { field: "node", message: "ny01.demo.dn42 is closed to new peerings. Choose another node." };
const full = {
  field: "node",
  message: "syd01.demo.dn42 is full: it accepts 1 peering. Choose another node.",
};

const check = ({ asn, call }: Participant, changes: Partial<PeerUpdate> = {}) =>
  call(calls.checkPeerConfig, [{ username: asn }, peerUpdate({ peer_ipv6: "fe80::2", ...changes })]);

describeWithDatabase("the states of nodes", { postgres: "share" }, (openTestDatabase) => {
  let at: TestDatabase;
  let server: ProfileServer;
  let one: Participant;
  let two: Participant;

  beforeAll(async () => {
    at = await openTestDatabase();
    server = await profileServer({}, { at, profile: { nodes } });
    one = await signUp(server.url, "4242420001");
    two = await signUp(server.url, "4242420002");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("a full or closed node refuses a new peering, and never an edit", async () => {
    expect(await check(one)).toEqual([]);
    await deployPeering(one, "syd01");
    expect(await check(two)).toEqual([full]);
    expect(await check(two, { remote_port: "x" })).toEqual([
      full,
      expect.objectContaining({ field: "remote_port" }),
    ]);
    await expect(submitPeering(two, "syd01")).rejects.toMatchObject({
      status: 422,
      body: { ...full, errors: [full] },
    });

    expect(await check(two, { node: "ny01" })).toEqual([closed]);
    await expect(submitPeering(two, "ny01")).rejects.toMatchObject({ status: 422, body: closed });

    expect(await check(one, { remote_port: "51821" })).toEqual([]);
    await deployPeering(one, "syd01", { remote_port: "51821" });
    await deployPeering(two, "per01");

    expect(await deletePeering(one, "syd01")).toMatchObject({ status: "success" });
    await deployPeering(two, "syd01");
  });

  test("a node in any state but open refuses a new peering, and never an edit or a deletion", async () => {
    await using database = await openAsServer(at);
    const { db } = database;
    const setState = (state: ProviderNode["state"]) =>
      changeNode({ db, clock: Date.now }, "sin01", (node) => ({ ...node, state }));
    await deployPeering(one, "sin01");
    const isClosed = "sin01.demo.dn42 is closed to new peerings. Choose another node.";
    const messages = {
      closed: isClosed,
      review: isClosed,
      draining:
        "sin01.demo.dn42 will be taken out of service and is closed to new peerings. Choose another node.",
    };
    for (const [state, message] of Object.entries(messages)) {
      await setState(state as keyof typeof messages);
      const body = { field: "node", message };
      // The submit reads the node in its transaction, so it is refused at once, whatever this server knows.
      await expect(submitPeering(two, "sin01")).rejects.toMatchObject({ status: 422, body });
      await deployPeering(one, "sin01", { remote_port: state === "review" ? "51822" : "51823" });
    }
    expect(await deletePeering(one, "sin01")).toMatchObject({ status: "success" });
    await setState("open");
    await deployPeering(two, "sin01");
  });

  test("a peering on a node that the database does not have any more is shown as unknown, and can be deleted", async () => {
    await deployPeering(one, "za01");
    {
      await using database = await openAsServer(at);
      await database.db.deleteFrom("nodes").where("name", "=", "za01").execute();
    }
    await expect.poll(() => one.call(calls.provider, undefined).then((shown) => shown.nodes.length)).toBe(5);
    const username = { username: one.asn };
    expect(await one.call(calls.getPeerStatus, username)).toMatchObject([
      {
        node: "za01",
        known: false,
        findings: [{ code: "node-out-of-service", facts: {} }],
      },
    ]);
    expect(await deletePeering(one, "za01")).toMatchObject({
      status: "success",
      steps: [
        "Checked and saved the change.",
        "za01.demo.dn42 is no longer one of the provider's nodes and was not called.",
      ],
    });
    expect(await one.call(calls.getPeeredNodes, username)).toEqual([]);
  });

  test("tasks are deleted thirty days after they finished, and never while they wait", async () => {
    await using database = await openAsServer(await openTestDatabase());
    const { db } = database;
    const add = async (node: string, now: number, endedAt: number | null = null) => {
      const task = { asn: "4242420001", node, generation: 1, request: null, previous: null, waitMs: 1 };
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
