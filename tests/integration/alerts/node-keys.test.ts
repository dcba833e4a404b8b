/** Which participants are notified of a node's new public key, and until when, in both databases. */
import { expect, test } from "vitest";
import { peeringOf } from "#agent/fixtures/peerings.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { confirmNodeKeys, findNewNodeKeys } from "#server/features/peerings/node-keys/confirm-node-keys.ts";
import { type DesiredPeering, putDesired } from "#server/features/peerings/desired-peerings.ts";
import { followNodeKey } from "#server/features/peerings/node-keys/follow-node-key.ts";
import { writeNodeKeyNotice } from "#server/features/accounts/notices/notice-store.ts";
import { createLog } from "#server/log.ts";
import { describeWithDatabase, type TestDatabase } from "../../support/databases.ts";
import { openSubscribers } from "../push/subscribers.ts";
import { minuteMs, observed } from "../server/observed-peerings.ts";
import { agentResponse } from "../../support/agent-response.ts";

const one = "4242420001";
const two = "4242420002";
const node = "de01";

function desired(asn: string, index: number): DesiredPeering {
  const request = {} as DesiredPeering["request"];
  const { presharedKey: _key, ...peering } = { ...peeringOf(index), asn };
  return { asn, node, generation: 1, revision: 1, present: true, request, peering };
}

/** A key of 32 bytes that begins with a name. */
const toKey = (name: string) => Buffer.from(name.padEnd(32)).toString("base64");
const toName = (key: string) => Buffer.from(key, "base64").toString().trimEnd();

/** A node with the key "first", on which two participants have peerings. */
async function createScene(at: TestDatabase) {
  const { db, time, clock, subscribe } = await openSubscribers(at);
  let publicKey = "first";
  const transport = async () => {
    const key = toKey(publicKey);
    return agentResponse({ node, publicKey: key, keys: [key], simulation: true, version: "" });
  };
  const agents = createAgentClient(new Map([[node, transport]]));
  let signals = 0;
  const deps = {
    db,
    agents,
    log: createLog("silent"),
    clock,
    writeNotice: writeNodeKeyNotice,
    onNotified: async () => void (signals += 1),
  };

  for (const asn of [one, two]) await subscribe(asn, false);
  /** The server reads the node's key after these minutes. */
  const follow = async (key: string, minutes = 1): Promise<void> => {
    publicKey = key;
    time.now += minutes * minuteMs;
    await followNodeKey(deps, node);
  };
  // The first peering was created before the node was reached, the second one after it.
  await putDesired(db, desired(one, 1));
  await follow("first");
  await putDesired(db, desired(two, 2));
  return {
    db,
    follow,
    signals: () => signals,
    /** Observes the node after these minutes, with a handshake of each AS so many seconds ago. */
    observe: async (minutes: number, ages: Readonly<Record<string, number | null>>): Promise<void> => {
      time.now += minutes * minuteMs;
      const peerings = Object.entries(ages).map(([asn, handshakeAgeSeconds]) =>
        observed({ asn, isUp: handshakeAgeSeconds !== null, handshakeAgeSeconds }),
      );
      await confirmNodeKeys(db, { at: time.now, nodes: [{ node, peerings }] });
    },
    /** Removes and returns the AS numbers that are notified: by mail, by push and in the audit log. */
    takeNotified: async (): Promise<string[]> => {
      const mails = await db.deleteFrom("account_notices").returning(["asn", "kind", "node"]).execute();
      expect(mails.map((mail) => [mail.kind, mail.node])).toEqual(mails.map(() => ["nodeKeyChanged", node]));
      const pushes = await db.deleteFrom("push_messages").returning("payload").execute();
      const asns = mails.map(({ asn }) => asn).toSorted();
      expect(pushes.map(({ payload }) => JSON.parse(payload) as object)).toEqual(
        expect.arrayContaining(asns.map((username) => ({ type: "nodeKey", username, node }))),
      );
      expect(pushes).toHaveLength(asns.length);
      return asns;
    },
    audited: async () => {
      const rows = await db
        .selectFrom("audit_events")
        .select(["kind", "asn", "node"])
        .where("node", "is not", null)
        .orderBy("id")
        .execute();
      return rows.map((row) => `${row.kind} ${row.asn} ${row.node}`);
    },
    newKeys: async () => {
      const keys = await findNewNodeKeys(db, [one, two]);
      return Object.fromEntries(Array.from(keys, ([asn, byNode]) => [asn, toName(byNode.get(node) ?? "")]));
    },
  };
}

describeWithDatabase("the public key of a node", { postgres: "share" }, (openTestDatabase) => {
  const scene = async () => createScene(await openTestDatabase());

  test("every participant of the node is notified of another key, once", async () => {
    const { follow, takeNotified, audited, newKeys, signals } = await scene();
    expect(await takeNotified()).toEqual([]);
    expect(await newKeys()).toEqual({});
    await follow("second");
    expect(await takeNotified()).toEqual([one, two]);
    expect(await audited()).toEqual([one, two].map((asn) => `node-key-changed ${asn} ${node}`));
    expect(await newKeys()).toEqual({ [one]: "second", [two]: "second" });
    expect(signals()).toBe(1);
    for (const minutes of [1, 1, 100]) await follow("second", minutes);
    expect(await takeNotified()).toEqual([]);
  });

  test("a mail that waits for the registry is not followed by another one about an older key", async () => {
    const { follow, takeNotified } = await scene();
    for (const key of ["second", "third"]) await follow(key, 61);
    expect(await takeNotified()).toEqual([one, two]);
  });

  test("a peering that is being deleted is not notified", async () => {
    const { db, follow, takeNotified } = await scene();
    await db.updateTable("peerings").set({ present: 0 }).where("asn", "=", one).execute();
    await follow("second");
    expect(await takeNotified()).toEqual([two]);
  });

  test("a participant uses the new key after a handshake that came later than the key", async () => {
    const { follow, observe, newKeys } = await scene();
    await follow("second");
    const both = { [one]: "second", [two]: "second" };
    await observe(1, { [one]: 61, [two]: null });
    expect(await newKeys()).toEqual(both);
    // The tunnel may have had the earlier key for a moment after the agent returned the new one.
    await observe(0.5, { [one]: 40 });
    expect(await newKeys()).toEqual(both);
    await observe(1, { [one]: 10, [two]: null });
    expect(await newKeys()).toEqual({ [two]: "second" });
    await observe(1, {});
    expect(await newKeys()).toEqual({ [two]: "second" });
  });

  test("when the earlier key returns, only participants that use the later one are notified", async () => {
    const { follow, observe, newKeys, takeNotified } = await scene();
    await follow("second");
    await observe(2, { [one]: 10 });
    expect(await takeNotified()).toEqual([one, two]);
    await follow("first", 5);
    expect(await newKeys()).toEqual({ [one]: "first" });
    expect(await takeNotified()).toEqual([]);
    await follow("first", 60);
    expect(await takeNotified()).toEqual([one]);
  });

  test("a node whose key changes all the time has its participants notified once an hour", async () => {
    const { follow, takeNotified } = await scene();
    let notified = 0;
    for (let minute = 0; minute < 180; minute += 10) {
      await follow(`key ${minute}`, 10);
      notified += (await takeNotified()).length;
    }
    expect(notified).toBe(3 * 2);
  });
});
