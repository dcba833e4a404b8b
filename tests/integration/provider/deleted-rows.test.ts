/** Rows of peerings that disappear from the database of a running server: only what a task explains is removed. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, runSql } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { logIn, type Participant, peerUpdate, waitForTask } from "../server/participant.ts";
import { register } from "./mailed-link.ts";
import type { Program } from "./program.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003", "4242420004", "4242420005"] as const;
const [ada, bram, celia, dara, emil] = asns;
const password = "a sentence for the tests";
const effect =
  "Until the operator recovers the database, the server changes and removes nothing there by itself.";
const sentenceOf = (peerings: string, verb: string) =>
  `${peerings} on syd01.example.net ${verb} not in the database. ${effect}`;

describe.each(["sqlite", "postgres"] as const)("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  const participants = new Map<string, Participant>();
  let provider: Provider;
  let settings: Readonly<Record<string, string>>;
  let agent: Program;
  let server: Server;
  let runStatement: (statement: string) => Promise<void>;

  beforeAll(async () => {
    provider = parts.use(await setUpProvider([node]));
    agent = await provider.startAgent(node);
    const url = kind === "postgres" ? parts.use(await createTestDatabase()).url : null;
    settings = url === null ? {} : { DATABASE_URL: url };
    runStatement = async (statement) => {
      if (url !== null) return runSql(url, statement);
      using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"), { timeout: 5_000 });
      database.exec(statement);
    };
    server = await provider.startServer(settings);
    for (const asn of asns) {
      await register(provider.mail, server.url, { asn, password });
      participants.set(asn, await logIn(server.url, asn, password));
      await deploy(asn);
    }
  });
  afterAll(() => parts.disposeAsync());

  function participantOf(asn: string): Participant {
    const participant = participants.get(asn);
    if (!participant) throw new Error(`AS${asn} is not logged in`);
    return participant;
  }

  async function deploy(asn: string, remotePort = "51820"): Promise<void> {
    const { call } = participantOf(asn);
    const update = peerUpdate({
      remote_port: remotePort,
      public_key: Buffer.alloc(32, Number(asn) % 256).toString("base64"),
      peer_ipv6: `fe80::${Number(asn) % 10}`,
    });
    await expectSuccess(asn, await call(calls.updatePeerConfig, [{ username: asn }, update]));
  }

  async function remove(asn: string): Promise<void> {
    await expectSuccess(asn, await participantOf(asn).call(calls.deletePeer, { username: asn, node }));
  }

  async function expectSuccess(asn: string, { taskID }: { readonly taskID: string }): Promise<void> {
    expect(await waitForTask(participantOf(asn), taskID)).toMatchObject({ status: "success", reason: "" });
  }

  const deleteRows = (...deleted: readonly string[]) =>
    runStatement(`DELETE FROM peerings WHERE asn IN (${deleted.map((asn) => `'${asn}'`).join(", ")})`);

  const statePath = () => join(provider.agents[0]?.stateDir ?? "", "state.json");

  async function listRunning(): Promise<readonly string[]> {
    const { peerings } = JSON.parse(await readFile(statePath(), "utf8")) as {
      readonly peerings: ReadonlyArray<{ readonly asn: string; readonly routed: unknown }>;
    };
    return peerings.flatMap(({ asn, routed }) => (routed === null ? [] : [asn])).toSorted();
  }

  /** Restarts the agent after `prepare`: the server compares a node that can be reached again. */
  async function restartAgent(prepare: () => Promise<void> = async () => {}): Promise<void> {
    await agent.end("SIGTERM");
    await waitForReachable(false);
    await prepare();
    agent = await provider.startAgent(node);
    await waitForReachable(true);
  }

  /** Queries the node until the server knows whether it can be reached. */
  async function waitForReachable(isReachable: boolean): Promise<void> {
    const { call } = participantOf(emil);
    await waitFor(async () => {
      await call(calls.getNodeStatus, { username: emil, node }).catch(() => undefined);
      expect(await readText("/metrics")).toContain(
        `peerdeck_node_reachable{node="${node}"} ${isReachable ? 1 : 0}\n`,
      );
    });
  }

  const readText = async (path: string) => (await fetch(`${server.url}${path}`)).text();

  test("each that no task explains keeps running until the operator decides", async () => {
    await deleteRows(ada);
    await restartAgent();
    await server.logged(sentenceOf("1 peering", "is"));
    await deleteRows(bram, celia, dara);
    await restartAgent();
    const sentence = sentenceOf("4 peerings", "are");
    await server.logged(sentence);
    expect(await listRunning()).toEqual(asns);
    expect(await readText("/healthz")).toBe(`issues\n${sentence}\n`);
    expect(await readText("/metrics")).toContain('peerdeck_peering_conflicts{node="syd01"} 4\n');
    const status = await participantOf(emil).call(calls.getNodeStatus, { username: emil, node });
    expect(status.results.issues).toEqual([sentence]);

    const removal = ["remove-peering", "--node", node, "--as", dara, "--apply"];
    expect(await provider.runCommand(removal, settings)).toMatchObject({ code: 0 });
    expect(await listRunning()).toEqual([ada, bram, celia, emil]);
    const recovered = await provider.runCommand(["recover", "--apply"], settings);
    expect(recovered.output.match(/^ {2}add /gm)).toHaveLength(3);
    expect(recovered.code).toBe(0);
    await waitFor(async () => expect(await readText("/healthz")).toBe("ok\n"));
    expect(await listRunning()).toEqual([ada, bram, celia, emil]);
    await deploy(ada, "4001");
  });

  test("deletions, and first deployments that failed and were applied late, are carried out", async () => {
    // The same values as before: this is no repetition of the submit, because the peering was removed since.
    await deploy(dara);
    const before = await readFile(statePath(), "utf8");
    for (const asn of [ada, bram, celia]) await remove(asn);
    await runStatement(`UPDATE tasks SET status = 'failed' WHERE asn = '${dara}' AND previous IS NULL`);
    await deleteRows(dara);
    await restartAgent(() => writeFile(statePath(), before));
    await waitFor(async () => expect(await listRunning()).toEqual([emil]));
    // The server records a removal after the node has confirmed it.
    await waitFor(async () => {
      const { output } = await provider.runCommand(["audit", "--since", "1h"], settings);
      expect(output.split("kind=unwanted-peering-removed")).toHaveLength(1 + 4);
    });
  });

  test("a failed edit does not explain a missing row", async () => {
    await deploy(ada);
    await deploy(ada, "4002");
    const edit = `(SELECT MAX(generation) FROM tasks WHERE asn = '${ada}')`;
    await runStatement(`UPDATE tasks SET status = 'failed' WHERE generation = ${edit}`);
    await deleteRows(ada);
    await restartAgent();
    const sentence = sentenceOf("1 peering", "is");
    await waitFor(async () => expect(await readText("/healthz")).toBe(`issues\n${sentence}\n`));
    expect(await listRunning()).toEqual([ada, emil]);
  });
});
