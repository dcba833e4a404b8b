import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { calls } from "#contract/calls.ts";
import type { Db } from "#server/db/open.ts";
import { describeWithDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import { type DemoServer, demoServer } from "../server/demo-server.ts";
import { type Participant, peerUpdate, setNodeMode, signUp, waitForTask } from "../server/participant.ts";

const key = Buffer.alloc(32, 1).toString("base64");

async function read(who: Participant): Promise<readonly ActivityEntry[]> {
  const { entries } = await who.call(calls.getActivity, { username: who.asn });
  return entries;
}

describeWithDatabase("the activity of peerings", { postgres: "share" }, (openDatabase) => {
  let server: DemoServer;
  let one: Participant;
  let two: Participant;
  let at: TestDatabase;

  beforeAll(async () => {
    at = await openDatabase();
    server = await demoServer({ waitMs: 500, watchEveryMs: 100, at });
    one = await signUp(server.url, "4242420001");
    two = await signUp(server.url, "4242420002");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function submit(changes: Parameters<typeof peerUpdate>[0]): Promise<string> {
    const update = peerUpdate({ public_key: key, ...changes });
    const { taskID } = await one.call(calls.updatePeerConfig, [{ username: one.asn }, update]);
    return (await waitForTask(one, taskID)).status;
  }

  /** Opens the server's database beside it. */
  async function openBeside(): Promise<Db> {
    const database = await openAsServer(at);
    onTestFinished(() => database[Symbol.asyncDispose]());
    return database.db;
  }

  /** Lets the server notice that a node is back, so that it compares the node with the database. */
  async function reconnect(node: string): Promise<void> {
    const look = () => one.call(calls.getNodeStatus, { username: one.asn, node });
    await setNodeMode(server.url, node, "offline");
    await expect.poll(async () => (await look()).results.status).toBe("Down");
    await setNodeMode(server.url, node, "normal");
    // A node with a peering that the database does not know has issues as soon as the server has compared it.
    await expect.poll(async () => (await look()).results.status).not.toBe("Down");
  }

  test("has every submit with the values before and after, and the end of its task in one entry", async () => {
    expect(await submit({ node: "syd01" })).toBe("success");
    expect(await submit({ node: "syd01", remote_port: "51999" })).toBe("success");
    const { taskID } = await one.call(calls.deletePeer, { username: one.asn, node: "syd01" });
    await waitForTask(one, taskID);

    const entries = (await read(one)).filter(({ node }) => node !== null).toReversed();
    const syd01 = "syd01.demo.dn42";
    const deployed = { state: "success", text: "Deployed." };
    expect(entries.map(({ text, own, network, outcome }) => [text, own, network, outcome])).toEqual([
      [`You created the peering on ${syd01}.`, true, "127.0.0.0/24", deployed],
      [`You changed the port of ${syd01} from 51820 to 51999.`, true, "127.0.0.0/24", deployed],
      [
        `You deleted the peering on ${syd01}.`,
        true,
        "127.0.0.0/24",
        { state: "success", text: "Removed from the node." },
      ],
    ]);
    expect(entries[1]?.changes).toEqual([{ field: "port", before: "51820", after: "51999" }]);
    expect(entries[0]?.changes).toContainEqual({ field: "public key", before: null, after: key });
    expect(entries[2]?.changes).toContainEqual({ field: "port", before: "51999", after: null });
    expect((await read(two)).filter(({ node }) => node !== null)).toEqual([]);
  });

  test("has no event of a rejected submit", async () => {
    const before = await read(one);
    await expect(submit({ node: "syd01", remote_port: "0" })).rejects.toMatchObject({ status: 422 });
    expect(await read(one)).toEqual(before);
  });

  test("says why a node refused a change, or did not respond", async () => {
    await setNodeMode(server.url, "per01", "refuse");
    expect(await submit({ node: "per01" })).toBe("failed");
    await setNodeMode(server.url, "per01", "offline");
    expect(await submit({ node: "per01", remote_port: "51821" })).toBe("error");
    const [unreachable, refused] = await read(one);
    for (const entry of [unreachable, refused])
      expect(entry).toMatchObject({
        text: "You tried to create the peering on per01.demo.dn42.",
        outcome: { state: "failed" },
      });
    expect(refused?.outcome?.text).toMatch(/^Not deployed\. \S.*\.$/);
    expect(unreachable?.outcome?.text).toMatch(/^Not deployed\. .* could not be reached in time\./);
    await setNodeMode(server.url, "per01", "normal");
  });

  test("says that a deployment is in progress, and keeps one entry of a change over two pages", async () => {
    await setNodeMode(server.url, "ny01", "offline");
    const update = peerUpdate({ public_key: key, node: "ny01" });
    const { taskID } = await one.call(calls.updatePeerConfig, [{ username: one.asn }, update]);
    const ofNode = async () => (await read(one)).filter(({ node }) => node === "ny01");
    expect((await ofNode()).map(({ outcome }) => outcome)).toEqual([
      { state: "waiting", text: "Deployment in progress." },
    ]);
    const db = await openBeside();
    const before = await db.selectFrom("audit_events").selectAll().where("task", "=", taskID).execute();
    await waitForTask(one, taskID);
    // As many other events between the change and its end as a page has.
    const [change] = before;
    if (!change) throw new Error("there is no event of the change");
    const between = Array.from({ length: 50 }, (_, index) => ({
      ...change,
      id: `${change.id.slice(0, 24)}-ffffffff-ffff-4000-8000-${String(index).padStart(12, "0")}`,
      kind: "logout",
      node: null,
      task: null,
      before: null,
      after: null,
    }));
    await db.insertInto("audit_events").values(between).execute();
    const pages = [];
    for (let next: string | null | undefined; next !== null;) {
      const page = await one.call(calls.getActivity, { username: one.asn, ...(next && { before: next }) });
      pages.push(page.entries.filter(({ node }) => node === "ny01").map(({ outcome }) => outcome?.state));
      next = page.next;
    }
    expect(pages.flat()).toEqual(["failed"]);
    await setNodeMode(server.url, "ny01", "normal");
  });

  test("has the repairs of drift, and what the database does not know", async () => {
    expect(await submit({ node: "sin01" })).toBe("success");
    const db = await openBeside();
    const ofNode = () => db.selectFrom("audit_events").select("kind").where("node", "=", "sin01").execute();
    const stored = db.selectFrom("peerings").select("peering").where("node", "=", "sin01");
    const { peering } = await stored.executeTakeFirstOrThrow();
    await db
      .updateTable("peerings")
      .set(({ eb }) => ({
        generation: eb("generation", "+", 1_000),
        peering: JSON.stringify({ ...JSON.parse(peering), endpointPort: 51_999 }),
      }))
      .where("node", "=", "sin01")
      .execute();
    await reconnect("sin01");
    await expect.poll(ofNode).toContainEqual({ kind: "peering-repaired" });
    const [repaired] = await read(one);
    expect(repaired?.text).toBe(
      "The server deployed the peering again, because sin01.demo.dn42 did not run its current version.",
    );
    await db.deleteFrom("peerings").where("node", "=", "sin01").execute();
    await reconnect("sin01");
    await expect.poll(ofNode).toContainEqual({ kind: "peering-conflict" });
  });
});
