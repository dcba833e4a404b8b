/** Six nodes with 30 peerings, whose database was lost: a nodes.json finds them again, and nothing on any node changes. */
import { copyFile, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, shareOfDatabases } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering } from "../server/participant.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, type Settings, setUpProvider } from "./provider.ts";

const nodes = ["syd01", "per01", "ny01", "fra01", "sin01", "za01"] as const;
const asns = [1, 2, 3, 4, 5].map((index) => `424242000${index}`);

describe.each(shareOfDatabases("lost nodes"))("with %s", (kind) => {
  const parts = new AsyncDisposableStack();
  let provider: Provider;
  let server: Server;
  /** A copy in another place. */
  let nodesFile: string;

  beforeAll(async () => {
    provider = parts.use(await setUpProvider(nodes));
    for (const node of nodes) await provider.startAgent(node);
    const settings = await loseDatabase();
    server = await provider.startServer({ ...settings, DATA_DIR: provider.serverDir });
    for (const asn of asns) {
      const participant = await signUpByMail(provider.mail, server.url, asn);
      const public_key = Buffer.alloc(32, Number(asn) % 256).toString("base64");
      await Promise.all(nodes.map((node) => deployPeering(participant, node, { public_key })));
    }
    await provider.runCommand(["nodes", "close", "za01"], { ...settings, DATA_DIR: provider.serverDir });
    nodesFile = join(await createScratchFolder((remove) => parts.defer(remove)), "copy.json");
    await waitFor(async () => {
      expect(await readFile(join(provider.serverDir, "nodes.json"), "utf8")).toContain('"closed"');
    });
    await copyFile(join(provider.serverDir, "nodes.json"), nodesFile);
    await server.stop();
    const profile = provider.environment["PEERDECK_CONFIG"] ?? "";
    const [withoutNodes = ""] = (await readFile(profile, "utf8")).split("[[nodes]]");
    await writeFile(profile, withoutNodes);
  });
  afterAll(() => parts.disposeAsync());

  /** Returns the settings of an empty database, in a data folder with the server's identity alone. */
  async function loseDatabase(): Promise<Settings> {
    const dataDir = await createScratchFolder((remove) => parts.defer(remove));
    await cp(join(provider.serverDir, "identity"), join(dataDir, "identity"), { recursive: true });
    if (kind === "sqlite") return { DATA_DIR: dataDir };
    const { url } = parts.use(await createTestDatabase());
    return { DATA_DIR: dataDir, DATABASE_URL: url, PEERDECK_SECRET: Buffer.alloc(32, 7).toString("base64") };
  }

  /** What the nodes run, without the database, which a recovery changes. */
  const readNodes = () =>
    Promise.all(
      nodes.map(async (node) =>
        (await provider.readPeerings(node)).map(({ database: _database, ...stored }) => stored),
      ),
    );

  async function expectAllKnown(settings: Settings): Promise<void> {
    const list = await provider.runCommand(["peerings", "--format", "json"], settings);
    expect(JSON.parse(list.output)).toHaveLength(30);
    const { output } = await provider.runCommand(["recover"], settings);
    expect(output.match(/ {2}5 peerings are the same\./g)).toHaveLength(6);
    const listed = await provider.runCommand(["nodes", "list", "--json"], settings);
    const { nodes: known } = JSON.parse(listed.output) as { nodes: ReadonlyArray<Record<string, unknown>> };
    expect(known.map(({ name, shown }) => [name, shown])).toEqual(
      nodes.map((name) => [name, name === "za01" ? "closed" : "open"]),
    );
  }

  /** Accounts are not on the nodes: their participants register again. */
  async function expectWithoutConflicts(): Promise<void> {
    await waitFor(async () => {
      const health = await (await fetch(`${server.url}/healthz`)).text();
      expect(health).toMatch(/^issues\n30 peerings have no account: .*\n$/);
    });
  }

  test("a kept nodes.json is taken over at the start", async () => {
    const before = await readNodes();
    const settings = await loseDatabase();
    await copyFile(nodesFile, join(settings["DATA_DIR"] ?? "", "nodes.json"));
    server = await provider.startServer(settings);
    await server.logged("the database had no nodes; those of nodes.json were taken over");
    await waitFor(async () => {
      const health = await (await fetch(`${server.url}/healthz`)).text();
      expect(health.match(/5 peerings on .* are not in the database/g)).toHaveLength(6);
    });
    expect(await provider.runCommand(["recover", "--apply"], settings)).toMatchObject({ code: 0 });
    await expectAllKnown(settings);
    await expectWithoutConflicts();
    expect(await readNodes()).toEqual(before);
    await server.stop();
  });

  test("a nodes.json in another place is read by recover --nodes", async () => {
    const before = await readNodes();
    const settings = await loseDatabase();
    server = await provider.startServer(settings);
    const advice = await server.logged(
      "the database has no nodes. To add one: peerdeck nodes add. If another database was lost, take its nodes over from a " +
        "nodes.json, of its data folder or of a backup, and then their peerings: peerdeck recover --nodes FILE",
    );
    expect(advice).toMatchObject({ level: 40 });
    const nothing = await provider.runCommand(["recover", "--apply"], settings);
    expect(nothing.code).toBe(1);
    expect(nothing.output).toMatch(
      /\n\nThe database has no nodes, so there is nothing to recover from\. .*--help\n$/,
    );

    const recover = (...args: readonly string[]) =>
      provider.runCommand(["recover", "--nodes", nodesFile, ...args], settings);
    const shown = await recover();
    expect(shown.code).toBe(0);
    expect(shown.output).toContain(`  add node   syd01: Somewhere, agent https://127.0.0.1:`);
    expect(shown.output.match(/^ {2}add node /gm)).toHaveLength(6);
    expect(shown.output.match(/^ {2}add {5}AS/gm)).toHaveLength(30);
    const { output } = await provider.runCommand(["nodes", "list"], settings);
    expect(output).toBe("There are no nodes. To add one: peerdeck nodes add --help\n");

    expect(await recover("--apply")).toMatchObject({ code: 0 });
    await expectAllKnown(settings);
    expect((await recover()).output.match(/^ {2}same node {2}/gm)).toHaveLength(6);
    await expectWithoutConflicts();
    expect(await readNodes()).toEqual(before);

    const other = provider.agents[1]?.fingerprint ?? "";
    const text = (await readFile(nodesFile, "utf8")).replace(provider.agents[0]?.fingerprint ?? "", other);
    await writeFile(nodesFile, text);
    const conflict = await recover("--apply");
    expect([conflict.code, conflict.output]).toEqual([
      1,
      expect.stringContaining("  CONFLICT   syd01 is not added. The database has it with another agent.\n"),
    ]);
    expect((await provider.runCommand(["nodes", "show", "syd01"], settings)).output).not.toContain(other);
    const missing = await provider.runCommand(["recover", "--nodes", "/nowhere.json"], settings);
    expect(missing).toEqual({
      code: 1,
      output: "--nodes: /nowhere.json does not exist. Nothing was changed.\n",
    });
    await server.stop();
  });
});
