/** `nodes remove` is killed before each of its steps: nothing is half removed, and the next run and the server complete it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { shareOfNumbers } from "../../support/share-of-commit.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering, type Participant } from "../server/participant.ts";
import { createServerDatabase, insertNode } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, setUpProvider } from "./provider.ts";

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003", "4242420004"];
let provider: Provider;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  await provider.startAgent(node);
});
afterAll(() => parts.disposeAsync());

const listRunning = async () =>
  (await provider.readPeerings(node)).flatMap(({ asn, routed }) => (routed === null ? [] : [asn]));

test.each(shareOfDatabases("a killed removal"))(
  "a removal on %s that is killed before any step is completed by the next run",
  async (kind) => {
    const { settings, query } = await createServerDatabase(kind, provider.serverDir, parts);
    const server = await provider.startServer(settings);
    const participants: Participant[] = [];
    for (const asn of asns) participants.push(await signUpByMail(provider.mail, server.url, asn));
    const [row = {}] = await query("SELECT * FROM nodes");
    const remove = ["nodes", "remove", node, "--yes"];
    let kills = 0;
    for (const step of shareOfNumbers()) {
      // Changes of one peering are limited, so two pairs take turns.
      const pair = participants.slice((step % 2) * 2, (step % 2) * 2 + 2);
      for (const participant of pair) await deployPeering(participant, node);
      const killed = await provider.killCommandBeforeStep(step, remove, settings);
      const rows = async (table: string) => (await query(`SELECT 1 FROM ${table}`)).length;
      const left = [await rows("nodes"), await rows("peerings")];
      expect([
        [1, 2],
        [0, 0],
      ]).toContainEqual(left);
      // Before the database is changed, nothing is taken down on the node.
      if (left[0] === 1) {
        expect(await listRunning()).toEqual(pair.map(({ asn }) => asn));
        expect(await provider.runCommand(remove, settings)).toMatchObject({ code: 0 });
      }
      await waitFor(async () => expect(await listRunning()).toEqual([]));
      await waitFor(async () => expect(await rows("removed_nodes")).toBe(0));
      expect(await rows("nodes")).toBe(0);
      await query(insertNode(row));
      await waitFor(async () => {
        const { nodes } = (await participants[0]?.call(calls.provider, undefined)) ?? {};
        expect(nodes).toMatchObject([{ name: node }]);
      });
      if (killed.code === 0) break;
      expect(killed).toMatchObject({ code: null });
      kills += 1;
    }
    // The statements of two transactions.
    expect(kills).toBeGreaterThan(2);
    await server.stop();
  },
  240_000,
);
