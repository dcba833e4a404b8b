/** What a look costs: nothing without listeners, and one question a node with any number of them. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Transport } from "../../../src/contract/client.ts";
import { openDatabase } from "../../../src/server/db/open.ts";
import { createPeeringWatch } from "../../../src/server/features/live/peering-watch.ts";
import { createAgents } from "../../../src/server/features/nodes/agents.ts";
import { createLog } from "../../../src/server/http/log.ts";
import { describeEachDatabase } from "../../setup/databases.ts";

const one = "4242420001";
const two = "4242420002";

function observed(asn: string, state: "Up" | "Down", latencyMs: number) {
  const tunnel = { state, rxBytes: latencyMs, txBytes: 0, handshakeAgeSeconds: 1, latencyMs, issues: [] };
  return { asn, tunnel, bgpStatus: state === "Up" ? "OK" : "Down", sessions: [], bgpIssues: [] };
}

function peering(asn: string, node: string, listen_port: number) {
  const row = { generation: 1, revision: 1, present: 1, request: "{}", peering: "{}" };
  return { asn, node, ...row, listen_port, peer_ipv4: null, peer_ipv6: null, public_key: asn };
}

describeEachDatabase("the watch of peerings", (openTestDatabase) => {
  test("asks each node once a turn, for as long as somebody listens, and tells what changed", async () => {
    const at = await openTestDatabase();
    const { db, ...database } = await openDatabase({
      dataDir: at.kind === "sqlite" ? at.dataDir : "",
      url: at.kind === "postgres" ? at.url : null,
      onError: () => undefined,
    });
    onTestFinished(() => database[Symbol.asyncDispose]());
    await db
      .insertInto("peerings")
      .values([
        peering(one, "de01", 1),
        peering(two, "de01", 2),
        peering(one, "ny01", 1),
        peering(two, "za01", 1),
      ])
      .execute();

    const asked = { de01: 0, ny01: 0, za01: 0 };
    const states = new Map<string, "Up" | "Down">();
    const transport =
      (node: keyof typeof asked): Transport =>
      async () => {
        asked[node] += 1;
        const peerings = [one, two].map((asn) => observed(asn, states.get(asn) ?? "Up", asked[node]));
        return { status: 200, text: async () => JSON.stringify(peerings) };
      };
    const names = ["de01", "ny01", "za01"] as const;
    let listening = new Set<string>();
    const told: string[] = [];
    const watch = createPeeringWatch({
      db,
      agents: createAgents(new Map(names.map((node) => [node, transport(node)]))),
      log: createLog("silent"),
      everyMs: 20,
      listening: () => listening,
      tell: (asn, node) => void told.push(`${asn} ${node}`),
    });
    onTestFinished(() => watch[Symbol.asyncDispose]());
    watch.start();
    await turns(10);
    expect(asked).toEqual({ de01: 0, ny01: 0, za01: 0 });

    listening = new Set([one]);
    await vi.waitFor(() => expect(asked.de01).toBeGreaterThan(2));
    expect(asked.ny01).toBeGreaterThan(0);
    expect(asked.za01).toBe(0);
    expect(told).toEqual([]);
    states.set(one, "Down").set(two, "Down");
    await vi.waitFor(() => expect(told.toSorted()).toEqual([`${one} de01`, `${one} ny01`]));

    // Who begins to listen hears what changes from then on.
    listening = new Set([one, two]);
    const before = asked.za01;
    await vi.waitFor(() => expect(asked.za01).toBeGreaterThan(before + 2));
    expect(told).toHaveLength(2);
    states.set(two, "Up");
    await vi.waitFor(() => expect(told.slice(2).toSorted()).toEqual([`${two} de01`, `${two} za01`]));

    listening = new Set();
    await turns(10);
    const last = { ...asked };
    await turns(10);
    expect(asked).toEqual(last);
  });
});

/** So many times the watch's pause. */
function turns(count: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 20 * count));
}
