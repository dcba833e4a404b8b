/** A node that the operator removes: its participants are notified, and its peerings are taken down as soon as it responds. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runRemoveNode } from "#cli/nodes/remove-node.ts";
import { calls } from "#contract/calls.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  caller,
  deletePeering,
  deployPeering,
  type Participant,
  peerUpdate,
  submitPeering,
  waitForTask,
} from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import { password, signUpByMail } from "./mailed-link.ts";
import { type Provider, runUntilError, type Server, setUpProvider, type Stoppable } from "./provider.ts";

const asns = ["4242420001", "4242420002", "4242420003"] as const;
const [ada, bram, celia] = asns;
const nodes = ["syd01", "per01", "ny01", "fra01"] as const;
const outOfService = "The provider has taken this node out of service.";
const advice = "You can delete the peering here and create one on another node.";
const issue = (peerings: string) =>
  `per01 is none of the provider's nodes, and the database still has ${peerings}. Let the node join again with ` +
  "peerdeck nodes add per01, or run: peerdeck nodes remove per01";

describe.each(shareOfDatabases("a removed node"))("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  const cookies = new Map<string, string>();
  const agents = new Map<string, Stoppable>();
  let provider: Provider;
  let database: ServerDatabase;
  let server: Server;

  beforeAll(async () => {
    provider = parts.use(await setUpProvider(nodes));
    for (const node of nodes) agents.set(node, await provider.startAgent(node));
    database = await createServerDatabase(kind, provider.serverDir, parts);
    server = await provider.startServer(database.settings);
    for (const asn of asns) {
      const participant = await signUpByMail(provider.mail, server.url, asn);
      cookies.set(asn, participant.cookie);
      const key = { public_key: Buffer.alloc(32, Number(asn) % 256).toString("base64") };
      for (const node of nodes) await deployPeering(participant, node, key);
    }
  });
  afterAll(() => parts.disposeAsync());

  const readText = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  const run = (...args: readonly string[]) => provider.runCommand(args, database.settings);
  const remove = (node: string, ...args: readonly string[]) => run("nodes", "remove", node, ...args);
  const audit = async () => (await run("audit", "--since", "1h")).output;
  const listRunning = async (node: string) =>
    (await provider.readPeerings(node)).flatMap(({ asn, routed }) => (routed === null ? [] : [asn]));

  function participantOf(asn: string): Participant {
    const cookie = cookies.get(asn) ?? "";
    return { asn, cookie, call: caller(server.url, cookie) };
  }

  async function restart(): Promise<void> {
    await server.stop();
    server = await provider.startServer(database.settings);
  }

  test("is asked about on a terminal, and stays after another answer than its name", async () => {
    const before = await database.query("SELECT * FROM nodes ORDER BY position");
    const prompts: string[] = [];
    const terminal = {
      read: async (prompt: string) => {
        prompts.push(prompt);
        return "y";
      },
      [Symbol.dispose]: () => undefined,
    };
    const environment = readEnvironment({ ...provider.environment, ...database.settings });
    const { code, output } = await runUntilError(environment, (settings, print) =>
      runRemoveNode(["syd01"], settings, print, () => terminal),
    );
    expect(prompts).toEqual(["\nTo remove syd01.example.net, type its name, syd01: "]);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        / {2}remove {2}AS4242420001[^]*syd01\.example\.net was not removed\. Nothing was changed\.\n$/,
      ),
    ]);
    expect(await database.query("SELECT * FROM nodes ORDER BY position")).toEqual(before);
  });

  test("is taken down, and its participants are notified", async () => {
    // Another peering that this database has not deployed.
    await database.query(`UPDATE peerings SET generation = 900 WHERE node = 'syd01' AND asn = '${celia}'`);
    await database.query(`DELETE FROM tasks WHERE node = 'syd01' AND asn = '${celia}'`);
    const { code, output } = await remove("syd01", "--reason", "Its host is gone", "--yes");
    expect(output).toMatch(
      /syd01\.example\.net\n {2}remove {2}AS4242420001: .*\n {2}remove {2}AS4242420002: .*\n {2}remove .*\n {2}reason {2}Its host is gone\.\n/,
    );
    expect(output).toContain("Removed from the database. The participants are notified.\n");
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(
        "The peerings are taken down on the node. Removed there: 2. Left as they run, because this database had not " +
          `deployed them: AS${celia}.\n`,
      ),
    ]);
    expect(await listRunning("syd01")).toEqual([celia]);
    await waitFor(async () => expect(await readText("/healthz")).toBe("ok\n"));
    const config = participantOf(ada).call(calls.getPeerConfig, { username: ada, node: "syd01" });
    await expect(config).rejects.toMatchObject({ status: 404 });
    const log = await audit();
    expect(log).toContain("The operator removed syd01. Reason: Its host is gone.");
    expect(log).toContain("The operator changed syd01. state: open → draining.");
    expect(log).toContain(
      "The operator removed the peering on syd01 from the database, because the node is out of service. " +
        "Reason: Its host is gone.",
    );
    // With SQLite, a notice of another process waits for the next poll, or for a restart.
    await restart();
    await waitFor(() =>
      expect(provider.mail.text()).toContain("Peering on syd01.example.net for AS4242420001"),
    );
    expect((await run("nodes", "list", "--json")).output).not.toContain("syd01");
    expect(await remove("syd01", "--yes")).toMatchObject({ code: 1 });
  });

  test("waits for a deployment, without new peerings", async () => {
    await agents.get("ny01")?.stop();
    const taskID = await submitPeering(participantOf(ada), "ny01", { remote_port: "4001" });
    const { code, output } = await remove("ny01", "--yes", "--json");
    expect([code, output]).toEqual([
      1,
      `A deployment of AS${ada} has not finished. ny01.example.net accepts no new peerings now, and nothing else was ` +
        "changed. While the server runs, a deployment ends within two minutes. Then run the command again.\n",
    ]);
    expect((await run("nodes", "show", "ny01")).output).toContain("state              draining\n");
    agents.set("ny01", await provider.startAgent("ny01"));
    expect(await waitForTask(participantOf(ada), taskID)).toMatchObject({ status: "success" });
    expect(await listRunning("ny01")).toEqual([...asns]);
  });

  test("runs on as it is, if the operator keeps it", async () => {
    const before = await provider.readPeerings("ny01");
    const { code, output } = await remove("ny01", "--keep", "--yes");
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(
        `ny01.example.net runs on as it is with the peerings of AS${ada}, AS${bram}, AS${celia}. To remove its agent and all ` +
          "peerings there, purge the package on the node: sudo apt purge peerdeck-agent\n",
      ),
    ]);
    expect((await run("nodes", "list", "--json")).output).toContain('"removed": []');
    await restart();
    expect(await provider.readPeerings("ny01")).toEqual(before);
  });

  test("that does not respond is taken down when it comes back", async () => {
    await agents.get("fra01")?.stop();
    await server.stop();
    // The command waits for half a minute, which the test does not.
    const removal = remove("fra01", "--yes", "--json");
    const waiting = async () =>
      (await database.query("SELECT name FROM removed_nodes")).map(({ name }) => name);
    await waitFor(async () => expect(await waiting()).toEqual(["fra01"]));
    server = await provider.startServer(database.settings);
    await server.logged("the peerings of a removed node cannot be taken down yet");
    expect((await run("nodes", "list")).output).toMatch(
      /fra01 was removed 20.+ UTC\. 3 peerings may still run on it\.\n$/,
    );
    expect(await listRunning("fra01")).toEqual([...asns]);
    expect(await readText("/healthz")).toBe("ok\n");
    await database.query("UPDATE removed_nodes SET removed_at = removed_at - 600000");
    expect(await readText("/healthz")).toBe(
      "issues\nfra01 was removed and does not respond, so that 3 peerings may still run on it. The server takes them down " +
        "when the node responds. If its host is gone or the peerings may run on, run: peerdeck nodes remove fra01 --keep\n",
    );
    agents.set("fra01", await provider.startAgent("fra01"));
    const { code, output } = await removal;
    expect([code, JSON.parse(output)]).toEqual([
      0,
      {
        node: "fra01",
        removed: [...asns],
        onNode: "removed",
        detail: "Removed there: 3. Nothing else runs there.",
      },
    ]);
    expect(await listRunning("fra01")).toEqual([]);
    expect(await audit()).toContain(
      "The server took the peerings down on fra01, which the operator had removed. Removed there: 3.",
    );
  });

  test("that was in the database only is named to the operator, and its participants read that it is out of service", async () => {
    await server.stop();
    await database.query("DELETE FROM nodes WHERE name = 'per01'");
    server = await provider.startServer(database.settings);
    await server.logged(issue("3 peerings on it"));
    expect(await readText("/healthz")).toBe(`issues\n${issue("3 peerings on it")}\n`);
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toContain('\npeerdeck_removed_node_peerings{node="per01"} 3\n');

    const { call } = participantOf(ada);
    const of = { username: ada, node: "per01" };
    const finding = { code: "node-out-of-service", facts: {} };
    expect(await call(calls.getPeerStatus, { username: ada })).toMatchObject([
      {
        node: "per01",
        known: false,
        findings: [finding],
        wg_status: { issues: [`${outOfService} ${advice}`] },
      },
    ]);
    const { results } = await call(calls.getNodeStatus, of);
    expect(results).toMatchObject({ status: "Down", known: false, issues: [`${outOfService} ${advice}`] });
    const { per01: config } = await call(calls.getPeerConfig, of);
    expect(config).toMatchObject({ peer_asn: ada });
    expect(await call(calls.getNodeConfig, of)).toEqual({
      public_ip: "",
      local_ipv4: "",
      local_ipv6: "fe80::2227",
      public_key: expect.stringMatching(/^.{44}$/),
    });
    await expect(call(calls.getPeerDetails, of)).rejects.toMatchObject({
      status: 503,
      body: { message: `${outOfService} ${advice}` },
    });
    const refused = { field: "node", message: `${outOfService} ${advice}` };
    const update = peerUpdate({ node: "per01", remote_port: "4001" });
    await expect(call(calls.updatePeerConfig, [{ username: ada }, update])).rejects.toMatchObject({
      status: 422,
      body: refused,
    });
    await expect(participantOf("").call(calls.getNodeStatus, of)).rejects.toMatchObject({ status: 401 });
  });

  test("that was in the database only does not keep an account that its participant deletes", async () => {
    const conflict = `INSERT INTO peering_conflicts (node, asn, generation, reason) VALUES ('per01', '${celia}', 1, 'outdated')`;
    await database.query(conflict);
    expect(await readText("/healthz")).toBe(`issues\n${issue("3 peerings on it, with 1 conflict")}\n`);
    await participantOf(celia).call(calls.deleteAccount, { username: celia, password });
    await server.logged("an account was deleted on the participant's request");
    await deletePeering(participantOf(bram), "per01");
    expect(await readText("/healthz")).toBe(`issues\n${issue("1 peering on it")}\n`);
  });

  test("that was in the database only is removed from it, and nothing changes on the node", async () => {
    const { code, output } = await remove("per01", "--yes");
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`per01.example.net runs on as it is with the peerings of AS${ada}.`),
    ]);
    expect(await readText("/healthz")).toBe("ok\n");
    expect(await participantOf(ada).call(calls.getPeeredNodes, { username: ada })).toEqual([]);
    expect(await listRunning("per01")).toEqual([...asns]);
  });
});
