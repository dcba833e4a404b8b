/** Servers whose database was lost, is older than the nodes, or is another one: no node loses or changes a peering. */
import { copyFile, cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, shareOfDatabases } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  caller,
  deletePeering,
  logIn,
  type Participant,
  peerUpdate,
  waitForTask,
} from "../server/participant.ts";
import { postgresAt, type ServerDatabase, sqliteIn } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider, type Stoppable, type StoredPeering } from "./provider.ts";

const readText = async (url: string) => (await fetch(url)).text();

const nodes = ["syd01", "per01"] as const;
const [ada, bram, celia] = ["4242420001", "4242420002", "4242420003"] as const;

interface Database extends ServerDatabase {
  /** Copies it while no server runs. */
  readonly backUp: () => Promise<Database>;
  /** The login sessions that it contains, by AS number: logins are limited. */
  readonly cookies: Map<string, string>;
}

describe.each(shareOfDatabases("a lost database"))("with %s", (kind) => {
  let provider: Provider;
  let original: Database;
  /** That of the running server. */
  let current: Database;
  let agents: Map<string, Stoppable>;
  let backup: Database;
  let server: Server;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUpProvider(nodes));
    agents = new Map(
      await Promise.all(nodes.map(async (node) => [node, await provider.startAgent(node)] as const)),
    );
    current = original = await createEmpty();
    server = await provider.startServer(original.settings);
    for (const asn of [ada, bram, celia]) await signUp(asn);
    await deploy(ada, "syd01");
    await deploy(bram, "syd01", { remote_port: "2001" });
    await deploy(celia, "per01");
    await restart(original, async () => {
      backup = await original.backUp();
    });
    await deploy(ada, "syd01", { remote_port: "4001", local_ipv6: "fe80::77" });
    await remove(bram, "syd01");
    await deploy(bram, "per01", {
      address_family: "IPv4",
      bgp_extnh: "No",
      peer_ipv4: "172.20.2.5",
      peer_ipv6: "",
    });
  });
  afterAll(() => parts.disposeAsync());

  /** Without the migrated template: databases that are copied from it have the same identity. */
  const createEmpty = () => (kind === "postgres" ? createPostgres() : createSqlite());

  async function createPostgres(template?: string, cookies = new Map<string, string>()): Promise<Database> {
    const { url } = parts.use(await createTestDatabase(template));
    const backUp = () => createPostgres(new URL(url).pathname.slice(1), new Map(cookies));
    return { ...postgresAt(url), cookies, backUp };
  }

  async function createSqlite(source?: string, cookies = new Map<string, string>()): Promise<Database> {
    const folder = await createServerFolder();
    for (const name of source ? ["peerdeck.sqlite", "secret.key"] : [])
      await copyFile(join(source ?? "", name), join(folder, name));
    const backUp = () => createSqlite(folder, new Map(cookies));
    return { ...sqliteIn(folder), settings: { DATA_DIR: folder }, cookies, backUp };
  }

  const createFolder = () => createScratchFolder((removeFolder) => parts.defer(removeFolder));

  /** A folder with the server's identity, which the agents pin. */
  async function createServerFolder(): Promise<string> {
    const folder = await createFolder();
    await cp(join(provider.serverDir, "identity"), join(folder, "identity"), { recursive: true });
    return folder;
  }

  /** Starts the server again with a database, after `prepare`. */
  async function restart(
    database: Database,
    prepare: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    await server.stop();
    await prepare();
    server = await provider.startServer(database.settings);
    current = database;
  }

  async function signUp(asn: string): Promise<void> {
    current.cookies.set(asn, (await signUpByMail(provider.mail, server.url, asn)).cookie);
  }

  async function signIn(asn: string): Promise<Participant> {
    const cookie = current.cookies.get(asn) ?? (await logIn(server.url, asn)).cookie;
    current.cookies.set(asn, cookie);
    return { asn, cookie, call: caller(server.url, cookie) };
  }

  async function submit(asn: string, node: string, changes: Parameters<typeof peerUpdate>[0] = {}) {
    const participant = await signIn(asn);
    // One key for each AS, so that a repeated submit changes nothing else.
    const update = peerUpdate({ node, public_key: Buffer.alloc(32, Number(asn) % 256).toString("base64") });
    const body = { ...update, peer_ipv6: `fe80::${Number(asn) % 10}`, ...changes };
    return participant.call(calls.updatePeerConfig, [{ username: asn }, body]);
  }

  async function deploy(asn: string, node: string, changes: Parameters<typeof peerUpdate>[0] = {}) {
    const { taskID } = await submit(asn, node, changes);
    expect(await waitForTask(await signIn(asn), taskID)).toMatchObject({ status: "success", reason: "" });
  }

  async function remove(asn: string, node: string): Promise<void> {
    expect(await deletePeering(await signIn(asn), node)).toMatchObject({ status: "success", reason: "" });
  }

  async function configOf(asn: string, node: string) {
    return (await (await signIn(asn)).call(calls.getPeerConfig, { username: asn, node }))[node];
  }

  /** What the agents have stored: each peering, its generation and its database. */
  async function readNodes() {
    const [syd01 = [], per01 = []] = await Promise.all(nodes.map((node) => provider.readPeerings(node)));
    return { syd01, per01 };
  }

  /** The same without the database, which a recovery changes. */
  async function readPeerings() {
    const stored = Object.entries(await readNodes());
    return stored.map(([node, peerings]) => [node, peerings.map(({ database: _database, ...rest }) => rest)]);
  }

  /** Writes to a database what the nodes have. */
  async function recover({ settings }: Database): Promise<void> {
    const { code, output } = await provider.runCommand(["recover", "--apply"], settings);
    expect([code, output]).toEqual([0, expect.stringContaining("Written to the database.")]);
  }

  /** Restarts the server with the backup, and returns a copy of it. */
  async function restartWithCopy(): Promise<Database> {
    let older = backup;
    await restart(backup, async () => {
      older = await backup.backUp();
    });
    return older;
  }

  const issuesOf = async (node: string) => {
    const response = await (await signIn(ada)).call(calls.getNodeStatus, { username: ada, node });
    return response.results.issues;
  };

  const effect =
    "Until the operator recovers the database, the server changes and removes nothing there by itself.";

  /** For what does not depend on the kind of database. */
  const testOnSqlite: (name: string, run: () => Promise<void>) => void = kind === "sqlite" ? test : () => {};

  test("an older backup changes nothing on the nodes, and recovers from them", async () => {
    const before = await readNodes();
    await restart(backup);
    await server.logged(
      "1 peering on syd01.example.net is newer than in the database. " +
        `1 peering was deleted on syd01.example.net and is still in the database. ${effect}`,
    );
    await server.logged(`1 peering on per01.example.net is not in the database. ${effect}`);
    expect(await issuesOf("per01")).toEqual([
      `1 peering on per01.example.net is not in the database. ${effect}`,
    ]);
    const refused = { status: 409, body: { message: expect.stringContaining("cannot be changed until") } };
    await expect(submit(ada, "syd01", { remote_port: "5000" })).rejects.toMatchObject(refused);
    await expect(submit(bram, "per01")).rejects.toMatchObject(refused);
    await expect(remove(bram, "syd01")).rejects.toMatchObject(refused);
    expect(await readNodes()).toEqual(before);

    const shown = await provider.runCommand(["recover"], backup.settings);
    expect(shown.output).toContain(`syd01.example.net
  change  AS${ada}: endpointPort 51820 → 4001, localIpv6 fe80::2227 → fe80::77
  remove  AS${bram}: deleted on the node
  0 peerings are the same.
per01.example.net
  add     AS${bram}: IPv4, 198.51.100.7:51820, UDP port 20002, 172.20.2.5
  1 peering is the same.

Nothing was changed. To write this to the database, run the command again with --apply.
`);
    expect(shown.code).toBe(0);
    await expect(configOf(bram, "per01")).rejects.toMatchObject({ status: 404 });

    await recover(backup);
    expect(await readNodes()).toEqual(before);
    const audit = await provider.runCommand(["audit", "--since", "1h"], backup.settings);
    expect(audit.code).toBe(0);
    for (const line of [
      `syd01 has a version of the peering that the database does not know.  (kind=peering-conflict as=${ada})`,
      "The operator took the peering on syd01 over into the database.  port 51820 → 4001, " +
        `node's IPv6 tunnel address default → fe80::77  (kind=peering-recovered as=${ada})`,
      "The operator removed the peering from the database, because syd01 has deleted it.",
    ])
      expect(audit.output).toContain(`Z  ${line}`);
    expect(audit.output.split("kind=peering-conflict")).toHaveLength(1 + 3);
    expect(await configOf(ada, "syd01")).toMatchObject({
      remote: "198.51.100.7:4001",
      local_ipv6: "fe80::77",
    });
    expect(await configOf(bram, "per01")).toMatchObject({ address_family: "IPv4", peer_ipv4: "172.20.2.5" });
    await expect(configOf(bram, "syd01")).rejects.toMatchObject({ status: 404 });
    expect(await issuesOf("per01")).toEqual([]);
    await restart(backup);
    await deploy(ada, "syd01", { remote_port: "4002", local_ipv6: "fe80::77" });
    await remove(bram, "per01");
    await deploy(bram, "syd01", { remote_port: "2002" });
  });

  testOnSqlite(
    "a node that comes back after an older database has used its generations again keeps its peerings",
    async () => {
      const older = await restartWithCopy();
      await deploy(bram, "per01", { remote_port: "2101" });
      await deploy(celia, "per01", { remote_port: "3101" });
      const before = await readNodes();
      await agents.get("per01")?.stop();
      await restart(older);
      const tasks = [
        await submit(bram, "per01", { remote_port: "2102" }),
        await submit(celia, "per01", { remote_port: "3102" }),
      ];
      expect(await provider.runCommand(["recover", "--apply"], older.settings)).toMatchObject({
        code: 1,
        output: expect.stringMatching(
          /per01\.example\.net cannot be reached\. .*Nothing was recovered from it\./,
        ),
      });
      agents.set("per01", await provider.startAgent("per01"));
      for (const [index, asn] of [bram, celia].entries()) {
        expect(await waitForTask(await signIn(asn), tasks[index]?.taskID ?? "")).toMatchObject({
          status: "failed",
          reason: expect.stringMatching(
            /does not know the version of this peering that the node runs|already has generation \d+ with different values/,
          ),
        });
      }
      await waitFor(async () => {
        expect((await issuesOf("per01")).join(" ")).toContain(
          "1 peering on per01.example.net is not in the database. 1 peering on per01.example.net is newer than in the database.",
        );
      });
      expect((await readNodes())["per01"]).toEqual(before["per01"]);
      await recover(older);
      await restart(older);
      expect((await readNodes())["per01"]).toEqual(before["per01"]);
      expect(await configOf(bram, "per01")).toMatchObject({ remote: "198.51.100.7:2101" });
      await deploy(celia, "per01", { remote_port: "3103" });
      await remove(bram, "per01");
      backup = older;
    },
  );

  testOnSqlite("an older backup does not repeat deployments that finished after it", async () => {
    await agents.get("per01")?.stop();
    const tasks = [
      [celia, await submit(celia, "per01", { remote_port: "3201" })],
      [bram, await submit(bram, "per01", { remote_port: "2201" })],
    ] as const;
    const older = await restartWithCopy();
    agents.set("per01", await provider.startAgent("per01"));
    for (const [asn, { taskID }] of tasks)
      expect(await waitForTask(await signIn(asn), taskID)).toMatchObject({ status: "success" });
    await deploy(celia, "per01", { remote_port: "3202" });
    await remove(bram, "per01");
    const before = await readNodes();
    // As if more than the two minutes of a deployment had passed since the backup.
    await restart(older, () => older.query("UPDATE tasks SET deadline_at = 0 WHERE status = 'waiting'"));
    for (const [asn, { taskID }] of tasks) {
      expect(await waitForTask(await signIn(asn), taskID)).toMatchObject({
        status: "failed",
        reason:
          "per01.example.net runs another version of this peering than the database has. It keeps running, but cannot be " +
          "changed until the operator has recovered the database. Nothing was changed on the node. Contact support.",
      });
    }
    expect(await readNodes()).toEqual(before);
    expect(await issuesOf("per01")).toEqual([
      "1 peering on per01.example.net is newer than in the database. 1 peering was deleted on per01.example.net and is " +
        `still in the database. ${effect}`,
    ]);
    await recover(older);
    await restart(older);
    expect(await readNodes()).toEqual(before);
    expect(await configOf(celia, "per01")).toMatchObject({ remote: "198.51.100.7:3202" });
    await expect(configOf(bram, "per01")).rejects.toMatchObject({ status: 404 });
    expect(await issuesOf("per01")).toEqual([]);
    backup = older;
  });

  test("a wrong database changes nothing, and the right one goes on without a recovery", async () => {
    const before = await readNodes();
    const wrong = await createEmpty();
    await restart(wrong);
    await server.logged(`2 peerings on syd01.example.net are not in the database. ${effect}`);
    await server.logged(`1 peering on per01.example.net is not in the database. ${effect}`);
    expect(await readText(`${server.url}/healthz`)).toBe(
      `issues\n1 peering on per01.example.net is not in the database. ${effect}\n` +
        `2 peerings on syd01.example.net are not in the database. ${effect}\n`,
    );
    expect(await readText(server.metricsUrl)).toContain('peerdeck_peering_conflicts{node="syd01"} 2\n');
    await restart(backup, async () => {
      await backup.query("INSERT INTO kysely_migration VALUES ('9999-later', '')");
      expect(await provider.refuseStart(backup.settings)).toContain(
        "a newer version of Peerdeck has migrated it (9999-later)",
      );
      await backup.query("DELETE FROM kysely_migration WHERE name = '9999-later'");
    });
    await waitFor(async () => expect(await readText(`${server.url}/healthz`)).toBe("ok\n"));
    expect(await readNodes()).toEqual(before);
    await deploy(ada, "syd01", { remote_port: "4003" });
    expect(server.log.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  test("an empty database changes nothing, serves new peerings, and recovers from the nodes", async () => {
    const before = await readPeerings();
    const empty = await createEmpty();
    await restart(empty);
    await server.logged(`2 peerings on syd01.example.net are not in the database. ${effect}`);
    await signUp(celia);
    await deploy(celia, "syd01", { remote_port: "3001" });
    await deploy(celia, "syd01", { remote_port: "3002" });
    await remove(celia, "syd01");
    await expect(submit(celia, "per01")).rejects.toMatchObject({ status: 409 });
    await deploy(celia, "syd01", { remote_port: "3003" });
    const withoutCelia = (await readPeerings()).map(([node, peerings]) => [
      node,
      (peerings as StoredPeering[]).filter(({ asn }) => node === "per01" || asn !== celia),
    ]);
    expect(withoutCelia).toEqual(before);

    const running = await readPeerings();
    await provider.runCommand(["recover", "--apply", "--node", "syd01"], empty.settings);
    await recover(empty);
    expect(await readPeerings()).toEqual(running);
    await signUp(ada);
    expect(await configOf(ada, "syd01")).toMatchObject({ remote: "198.51.100.7:4003", local_ipv6: "" });
    await deploy(ada, "syd01", { remote_port: "4004" });
    await remove(celia, "per01");
  });

  testOnSqlite("an operator removes a peering that the database does not have", async () => {
    const another = await createEmpty();
    await restart(another);
    await server.logged(`3 peerings on syd01.example.net are not in the database. ${effect}`);
    const command = ["remove-peering", "--node", "syd01", "--as", `as ${bram}`];
    const before = await readNodes();
    expect((await provider.runCommand(command, another.settings)).output).toContain("Nothing was changed.");
    expect(await readNodes()).toEqual(before);
    expect(await provider.runCommand([...command, "--apply"], another.settings)).toMatchObject({ code: 0 });
    const audit = await provider.runCommand(["audit", "--asn", bram], another.settings);
    expect(audit.output).toMatch(
      /Z {2}The operator removed the peering from syd01\. It was AS4242420002: .* {2}\(kind=peering-removed as=/,
    );
    const after = await readNodes();
    expect(after["syd01"]?.map(({ asn, routed }) => [asn, routed !== null])).toEqual([
      [ada, true],
      [bram, false],
      [celia, true],
    ]);
  });

  testOnSqlite(
    "an operator removes a peering of the database, and the server removes it from its node",
    async () => {
      const recovered = await createEmpty();
      await restart(recovered);
      await provider.runCommand(["recover", "--apply"], recovered.settings);
      const list = await provider.runCommand(["peerings", "--account", "none"], recovered.settings);
      expect(list.output).toMatch(new RegExp(`^${celia} +syd01 +deployed `, "m"));
      const command = ["remove-peering", "--node", "syd01", "--as", `AS${celia}`, "--reason", "Not used"];
      expect((await provider.runCommand(command, recovered.settings)).output).toContain(
        "Nothing was changed.",
      );
      expect(await provider.runCommand([...command, "--apply"], recovered.settings)).toMatchObject({
        code: 0,
        output: expect.stringContaining("Removed from the node and the database."),
      });
      const routed = (await readNodes())["syd01"]?.map(({ asn, routed: runs }) => [asn, runs !== null]);
      expect(routed).toContainEqual([celia, false]);
      const audit = await provider.runCommand(["audit", "--asn", celia], recovered.settings);
      expect(audit.output).toContain("The operator removed the peering from syd01. Reason: Not used.");
      expect((await provider.runCommand(command, recovered.settings)).code).toBe(1);
    },
  );

  testOnSqlite(
    "a server that lost its identity too recovers after the agents have its new fingerprint",
    async () => {
      const before = await readPeerings();
      const folder = await createFolder();
      await server.stop();
      const refused = await provider.runCommand(["recover"], { DATA_DIR: folder });
      expect(refused.code).toBe(1);
      expect(refused.output).toContain("syd01.example.net cannot be reached.");
      const fingerprint = /fingerprint, which the agents must have: (\S+)/.exec(refused.output)?.[1] ?? "";
      await Promise.all(Array.from(agents.values(), (agent) => agent.stop()));
      await provider.pinServer(fingerprint);
      for (const node of nodes) agents.set(node, await provider.startAgent(node));
      const recovered = await provider.runCommand(["recover", "--apply"], { DATA_DIR: folder });
      expect(recovered).toMatchObject({ code: 0 });
      expect(recovered.output.match(/^ {2}add /gm)).toHaveLength(1);
      expect(await readPeerings()).toEqual(before);
    },
  );
});
