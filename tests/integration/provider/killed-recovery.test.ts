/** `recover --apply` is killed before each of its steps: the next run completes, and nothing on the node changes. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, runSql } from "../../support/databases.ts";
import { shareOfCommit, shareOfNumbers } from "../../support/share-of-commit.ts";
import { logIn, peerUpdate, waitForTask } from "../server/participant.ts";
import { register } from "./mailed-link.ts";
import { type Provider, type Settings, setUpProvider } from "./provider.ts";

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003"];
const password = "a sentence for the tests";

interface StoredPeering {
  readonly asn: string;
  readonly generation: number;
  readonly database?: string;
}

let provider: Provider;
let stateFile: string;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  stateFile = join(provider.agents[0]?.stateDir ?? "", "state.json");
  await provider.startAgent(node);
  const server = await provider.startServer();
  for (const [index, asn] of asns.entries()) {
    await register(provider.mail, server.url, { asn, password });
    const participant = await logIn(server.url, asn, password);
    const update = peerUpdate({ node, peer_ipv6: `fe80::${index + 1}` });
    const { taskID } = await participant.call(calls.updatePeerConfig, [{ username: asn }, update]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  }
  await server.stop();
});
afterAll(() => parts.disposeAsync());

const readPeerings = async () =>
  (JSON.parse(await readFile(stateFile, "utf8")) as { peerings: StoredPeering[] }).peerings;
const readState = async () =>
  (await readPeerings())
    .map(({ database: _database, ...rest }) => rest)
    .toSorted((a, b) => a.asn.localeCompare(b.asn));
const readDatabases = async () => (await readPeerings()).map(({ database }) => database);

async function recover(args: readonly string[], settings: Settings): Promise<string> {
  const { code, output } = await provider.runCommand(["recover", ...args], settings);
  expect(code).toBe(0);
  return output;
}

/** A database with all peerings of the node, as the settings that select it. */
interface Database {
  readonly settings: Settings;
  readonly run: (statements: string) => Promise<void>;
}

const sqlite: Database = {
  settings: {},
  run: async (statements) => {
    using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"));
    database.exec(statements);
  },
};

async function createPostgres(): Promise<Database> {
  const { url } = parts.use(await createTestDatabase());
  const settings = { DATABASE_URL: url };
  await recover(["--apply"], settings);
  return { settings, run: (statements) => runSql(url, statements) };
}

/**
 * Makes it another database, older than the node: it does not know the first peering, has an older version of the second,
 * and the node is paired with the one before.
 */
const makeOlder = (identity: string) => `
  UPDATE peerings SET generation = generation - 1, revision = revision - 1 WHERE asn = '${asns[1]}';
  DELETE FROM peerings WHERE asn = '${asns[0]}';
  UPDATE counters SET value = 1;
  UPDATE database_identity SET id = '${identity}';
`;

// With one of three commits also on PostgreSQL.
const databases = shareOfCommit([
  { kind: "PostgreSQL", open: createPostgres },
  { kind: "SQLite", open: async () => sqlite },
]);

test.each(databases)(
  "a recovery on $kind that is killed before any step is completed by the next run",
  async ({ open }) => {
    const { settings, run } = await open();
    const before = await readState();
    let kills = 0;
    for (const step of shareOfNumbers()) {
      const identity = randomUUID();
      await run(makeOlder(identity));
      const killed = await provider.killCommandBeforeStep(step, ["recover", "--apply"], settings);
      expect(await readState()).toEqual(before);
      if (killed.code === 0) break;
      expect(killed).toMatchObject({ code: null });
      kills += 1;
      await recover(["--apply"], settings);
      expect([kills, await recover([], settings)]).toEqual([
        kills,
        expect.stringContaining("  3 peerings are the same.\n"),
      ]);
      expect(await readState()).toEqual(before);
      // The database can change and remove all of them.
      expect(await readDatabases()).toEqual(asns.map(() => identity));
    }
    // The begin, the writes and the commit of the transaction, and the requests that read the node and pair the peerings.
    expect(kills).toBeGreaterThan(2);
  },
  240_000,
);
