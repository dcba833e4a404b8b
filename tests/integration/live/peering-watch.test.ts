/** What the watch costs: nothing without subscribers, and one read of each node with any number of them. */
import { expect, onTestFinished, test } from "vitest";
import type { Transport } from "#contract/client.ts";
import type { PeerStatus } from "#contract/entities.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { createNodeReader } from "#server/agents/node-reader.ts";
import { createPeeringWatch } from "#server/features/live/peering-watch.ts";
import { addTask } from "#server/features/peerings/deployment/task-store.ts";
import { createLog } from "#server/log.ts";
import { type ProviderNode, toProviderNode } from "#server/nodes/provider-node.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { agentResponse } from "../../support/agent-response.ts";
import { observed, recordPeerings } from "../server/observed-peerings.ts";
import { demoProfile } from "../server/profile-server.ts";

const one = "4242420001";
const two = "4242420002";
const everyMs = 20;

describeWithDatabase("the watch of peerings", { postgres: "share" }, (openTestDatabase) => {
  async function scene() {
    const at = await openTestDatabase();
    const { db, ...database } = await openAsServer(at);
    onTestFinished(() => database[Symbol.asyncDispose]());
    await recordPeerings(db, ["de01", "ny01"], one);
    await recordPeerings(db, ["de01", "za01"], two);

    const reads = { de01: 0, ny01: 0, za01: 0 };
    const states = new Map<string, "Up" | "Down">();
    const refused = { count: 0 };
    const transport =
      (node: keyof typeof reads): Transport =>
      async () => {
        reads[node] += 1;
        const peerings = [one, two].map((asn) =>
          // Counters and numbers of accepted routes change with every read.
          observed({
            asn,
            isUp: states.get(asn) !== "Down",
            routes: [reads[node], refused.count],
            rxBytes: reads[node],
            latencyMs: reads[node],
          }),
        );
        return agentResponse(peerings);
      };
    const names = ["de01", "ny01", "za01"] as const;
    const subscribers = { asns: new Set<string>() };
    const sent: Array<{ readonly to: string; readonly status: PeerStatus | null }> = [];
    let draining: ProviderNode | null = null;
    const nodes = { find: (node: string) => (node === draining?.name ? draining : null) };
    const drain = (name: string) => {
      const [any] = demoProfile.nodes;
      draining = any ? { ...toProviderNode(any), name, state: "draining" } : null;
    };
    const agents = createAgentClient(new Map(names.map((node) => [node, transport(node)])));
    const hooks = { onSend: () => {} };
    const watch = createPeeringWatch({
      db,
      profile: { domain: "example.net" },
      nodes,
      nodeReader: createNodeReader(agents, { maxAgeMs: 0 }),
      clock: Date.now,
      log: createLog("silent"),
      everyMs,
      subscribedAsns: () => subscribers.asns,
      isSubscribed: (asn) => subscribers.asns.has(asn),
      send: (asn, node, status) => {
        sent.push({ to: `${asn} ${node}`, status });
        hooks.onSend();
      },
    });
    onTestFinished(() => watch[Symbol.asyncDispose]());
    watch.start();
    return { db, reads, states, refused, drain, subscribers, hooks, sent, watch };
  }

  test("sends a change of the refused routes, with the numbers of all routes", async () => {
    const { reads, refused, subscribers, sent } = await scene();
    subscribers.asns = new Set([two]);
    await waitFor(() => expect(reads.za01).toBeGreaterThan(2));
    expect(sent).toEqual([]);
    refused.count = 18;
    await waitFor(() => expect(sent.map(({ to }) => to).toSorted()).toEqual([`${two} de01`, `${two} za01`]));
    const [first] = sent;
    expect(first?.status).toMatchObject({ bgp_status: "Issues", sessions: [{ routes: [{ refused: 18 }] }] });
    expect(first?.status?.findings).toEqual([
      { code: "routes-refused", facts: { refused: 18, received: expect.any(Number) } },
    ]);
    const { za01: before } = reads;
    await waitFor(() => expect(reads.za01).toBeGreaterThan(before + 2));
    expect(sent).toHaveLength(2);
  });

  test("sends the present status after a response that contained another one for a moment", async () => {
    const { reads, subscribers, sent, watch } = await scene();
    subscribers.asns = new Set([two]);
    await waitFor(() => expect(reads.za01).toBeGreaterThan(2));
    const subject = { asn: two, node: "za01", domain: "example.net", newNodeKey: null, announcedKey: null };
    const known = { isAwaited: false, isDraining: false };
    watch.noteResponse({ ...subject, ...known }, { find: () => observed({ asn: two, isUp: false }) });
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent).toMatchObject([{ to: `${two} za01`, status: { bgp_status: "OK" } }]);
  });

  test("sends that a node has another public key, and that the participant uses it", async () => {
    const { db, reads, subscribers, sent } = await scene();
    const notified = { notified_key: "new", notified_at: null };
    const facts = {
      node: "za01",
      public_key: "new",
      seen_at: 1,
      key_since: 1,
      agent_version: null,
      ...notified,
    };
    await db.insertInto("node_facts").values(facts).execute();
    subscribers.asns = new Set([two]);
    await waitFor(() => expect(reads.za01).toBeGreaterThan(2));
    const setKey = (node_key: string) => db.updateTable("peerings").set({ node_key }).execute();
    await setKey("old");
    await waitFor(() => expect(sent).toHaveLength(1));
    await setKey("new");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent.map(({ to, status }) => [to, status?.findings])).toEqual([
      [`${two} za01`, [{ code: "node-key-changed", facts: { host: "za01.example.net", publicKey: "new" } }]],
      [`${two} za01`, []],
    ]);
  });

  test("sends that a node will be taken out of service, which changes no state", async () => {
    const { reads, subscribers, sent, drain } = await scene();
    subscribers.asns = new Set([two]);
    await waitFor(() => expect(reads.za01).toBeGreaterThan(2));
    drain("za01");
    await waitFor(() => expect(sent).toHaveLength(1));
    const findings = [{ code: "node-draining", facts: { host: "za01.example.net" } }];
    expect(sent).toMatchObject([{ to: `${two} za01`, status: { bgp_status: "OK", findings } }]);
    expect(sent[0]?.status?.wg_status).toMatchObject({ state: "Up", issues: [] });
  });

  test("reads each node once per interval while there are subscribers, and sends what changed", async () => {
    const { reads, states, subscribers, sent } = await scene();
    const recipients = () => sent.map(({ to }) => to);
    await intervals(10);
    expect(reads).toEqual({ de01: 0, ny01: 0, za01: 0 });

    subscribers.asns = new Set([one]);
    await waitFor(() => expect(reads.de01).toBeGreaterThan(2));
    expect(reads.ny01).toBeGreaterThan(0);
    expect(reads.za01).toBe(0);
    expect(sent).toEqual([]);
    states.set(one, "Down").set(two, "Down");
    await waitFor(() => expect(recipients().toSorted()).toEqual([`${one} de01`, `${one} ny01`]));
    expect(sent[0]?.status).toMatchObject({
      known: true,
      bgp_status: "Down",
      wg_status: { state: "Down" },
      deployment: null,
    });

    // A new subscriber receives later changes only.
    subscribers.asns = new Set([one, two]);
    const before = reads.za01;
    await waitFor(() => expect(reads.za01).toBeGreaterThan(before + 2));
    expect(sent).toHaveLength(2);
    states.set(two, "Up");
    await waitFor(() => expect(recipients().slice(2).toSorted()).toEqual([`${two} de01`, `${two} za01`]));

    subscribers.asns = new Set();
    await intervals(10);
    const last = { ...reads };
    await intervals(10);
    expect(reads).toEqual(last);
  });

  test("a report sends the status with its unfinished deployment though nothing changed", async () => {
    const { db, subscribers, sent, watch } = await scene();
    watch.report(one, "de01");
    await intervals(3);
    expect(sent).toEqual([]);

    subscribers.asns = new Set([one]);
    const { id: taskID } = await addTask(
      db,
      { asn: one, node: "de01", generation: 2, request: null, previous: null, waitMs: 1 },
      { now: 0, retentionTime: 0 },
    );
    watch.report(one, "de01");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      to: `${one} de01`,
      status: { node: "de01", bgp_status: "OK", deployment: { taskID, kind: "delete" } },
    });
  });

  test("a change right after a report is sent, though the watch has not read the node before", async () => {
    const { states, subscribers, hooks, sent, watch } = await scene();
    subscribers.asns = new Set([one]);
    states.set(one, "Down");
    hooks.onSend = () => void states.set(one, "Up");
    watch.report(one, "de01");
    await waitFor(() =>
      expect(sent.filter(({ to }) => to === `${one} de01`).map(({ status }) => status?.bgp_status)).toEqual([
        "Down",
        "OK",
      ]),
    );
  });

  test("the report of a deleted peering carries no status", async () => {
    const { db, subscribers, sent, watch } = await scene();
    subscribers.asns = new Set([two]);
    await db.deleteFrom("peerings").where("asn", "=", two).where("node", "=", "za01").execute();
    watch.report(two, "za01");
    await waitFor(() => expect(sent).toEqual([{ to: `${two} za01`, status: null }]));
  });
});

/** Waits for a number of the watch's intervals. */
function intervals(count: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, everyMs * count));
}
