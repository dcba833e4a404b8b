/** Rows of peerings that disappear from the database of a running server: only what a task explains is removed. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deletePeering, deployPeering, type Participant } from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider, type Stoppable } from "./provider.ts";

const readText = async (url: string) => (await fetch(url)).text();

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003", "4242420004"] as const;
const [ada, bram, celia, dara] = asns;
const sentenceOf = (peerings: string, verb: string) =>
  `${peerings} on syd01.example.net ${verb} not in the database. Until the operator recovers the database, the server ` +
  "changes and removes nothing there by itself.";

describe.each(shareOfDatabases("deleted rows"))("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  const participants = new Map<string, Participant>();
  let provider: Provider;
  let database: ServerDatabase;
  let agent: Stoppable;
  let server: Server;

  beforeAll(async () => {
    provider = parts.use(await setUpProvider([node]));
    agent = await provider.startAgent(node);
    database = await createServerDatabase(kind, provider.serverDir, parts);
    server = await provider.startServer(database.settings);
    for (const asn of asns) {
      participants.set(asn, await signUpByMail(provider.mail, server.url, asn));
      await deploy(asn);
    }
  });
  afterAll(() => parts.disposeAsync());

  function participantOf(asn: string): Participant {
    const participant = participants.get(asn);
    if (!participant) throw new Error(`AS${asn} is not logged in`);
    return participant;
  }

  const deploy = (asn: string, port = "51820") =>
    deployPeering(participantOf(asn), node, {
      public_key: Buffer.alloc(32, Number(asn) % 256).toString("base64"),
      remote_port: port,
    });

  async function remove(asn: string): Promise<void> {
    expect(await deletePeering(participantOf(asn), node)).toMatchObject({ status: "success" });
  }

  const deleteRows = (...deleted: readonly string[]) =>
    database.query(`DELETE FROM peerings WHERE asn IN (${deleted.map((asn) => `'${asn}'`).join(", ")})`);

  const stateFile = () => join(provider.agents[0]?.stateDir ?? "", "state.json");

  const listRunning = async () =>
    (await provider.readPeerings()).flatMap(({ asn, routed }) => (routed === null ? [] : [asn]));

  /** Restarts the agent after `prepare`: the server compares a node that can be reached again. */
  async function restartAgent(prepare: () => Promise<void> = async () => {}): Promise<void> {
    await agent.stop();
    await waitForReachable(false);
    await prepare();
    agent = await provider.startAgent(node);
    await waitForReachable(true);
  }

  /** Queries the node until the server knows whether it can be reached. */
  async function waitForReachable(isReachable: boolean): Promise<void> {
    const { call } = participantOf(dara);
    await waitFor(async () => {
      await call(calls.getNodeStatus, { username: dara, node }).catch(() => undefined);
      expect(await readText(server.metricsUrl)).toContain(
        `peerdeck_node_reachable{node="${node}"} ${isReachable ? 1 : 0}\n`,
      );
    });
  }

  test("each that no task explains keeps running until the operator decides", async () => {
    await deleteRows(ada);
    await restartAgent();
    await server.logged(sentenceOf("1 peering", "is"));
    await deleteRows(bram, celia);
    await restartAgent();
    const sentence = sentenceOf("3 peerings", "are");
    await server.logged(sentence);
    expect(await listRunning()).toEqual(asns);
    expect(await readText(`${server.url}/healthz`)).toBe(`issues\n${sentence}\n`);
    expect(await readText(server.metricsUrl)).toContain('peerdeck_peering_conflicts{node="syd01"} 3\n');
    const status = await participantOf(dara).call(calls.getNodeStatus, { username: dara, node });
    expect(status.results.issues).toEqual([sentence]);

    const removal = ["remove-peering", "--node", node, "--as", celia, "--apply"];
    expect(await provider.runCommand(removal, database.settings)).toMatchObject({ code: 0 });
    expect(await listRunning()).toEqual([ada, bram, dara]);
    const recovered = await provider.runCommand(["recover", "--apply"], database.settings);
    expect(recovered.output.match(/^ {2}add /gm)).toHaveLength(2);
    expect(recovered.code).toBe(0);
    await waitFor(async () => expect(await readText(`${server.url}/healthz`)).toBe("ok\n"));
    expect(await listRunning()).toEqual([ada, bram, dara]);
    await deploy(ada, "4001");
  });

  test("deletions, and first deployments that failed and were applied late, are carried out", async () => {
    // The same values as before: this is no repetition of the submit, because the peering was removed since.
    await deploy(celia);
    const before = await readFile(stateFile(), "utf8");
    for (const asn of [ada, bram]) await remove(asn);
    await database.query(`UPDATE tasks SET status = 'failed' WHERE asn = '${celia}' AND previous IS NULL`);
    await deleteRows(celia);
    await restartAgent(() => writeFile(stateFile(), before));
    await waitFor(async () => expect(await listRunning()).toEqual([dara]));
    // The server records a removal after the node has confirmed it.
    await waitFor(async () => {
      const { output } = await provider.runCommand(["audit", "--since", "1h"], database.settings);
      expect(output.split("kind=unwanted-peering-removed")).toHaveLength(1 + 3);
    });
  });

  test("a failed edit does not explain a missing row", async () => {
    await deploy(dara, "4002");
    const edit = `(SELECT MAX(generation) FROM tasks WHERE asn = '${dara}')`;
    await database.query(`UPDATE tasks SET status = 'failed' WHERE generation = ${edit}`);
    await deleteRows(dara);
    await restartAgent();
    const sentence = sentenceOf("1 peering", "is");
    await waitFor(async () => expect(await readText(`${server.url}/healthz`)).toBe(`issues\n${sentence}\n`));
    expect(await listRunning()).toEqual([dara]);
  });
});
