/** `recover --apply` is killed before each of its steps: the next run completes, and nothing on the node changes. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shareOfDatabases } from "../../support/databases.ts";
import { shareOfNumbers } from "../../support/share-of-commit.ts";
import { deployPeering } from "../server/participant.ts";
import { createServerDatabase } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Settings, setUpProvider } from "./provider.ts";

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003"];
let provider: Provider;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  provider = parts.use(await setUpProvider([node]));
  await provider.startAgent(node);
  const server = await provider.startServer();
  for (const asn of asns) await deployPeering(await signUpByMail(provider.mail, server.url, asn), node);
  await server.stop();
});
afterAll(() => parts.disposeAsync());

const readState = async () => (await provider.readPeerings()).map(({ database: _database, ...rest }) => rest);
const readDatabases = async () => (await provider.readPeerings()).map(({ database }) => database);

async function recover(args: readonly string[], settings: Settings): Promise<string> {
  const { code, output } = await provider.runCommand(["recover", ...args], settings);
  expect(code).toBe(0);
  return output;
}

/**
 * Makes it another database, older than the node: it does not know the first peering, has an older version of the second,
 * and the node is paired with the one before.
 */
const makeOlder = (identity: string) => [
  `UPDATE peerings SET generation = generation - 1, revision = revision - 1 WHERE asn = '${asns[1]}'`,
  `DELETE FROM peerings WHERE asn = '${asns[0]}'`,
  "UPDATE counters SET value = 1",
  `UPDATE database_identity SET id = '${identity}'`,
];

test.each(shareOfDatabases("a killed recovery"))(
  "a recovery on %s that is killed before any step is completed by the next run",
  async (kind) => {
    const { settings, query } = await createServerDatabase(kind, provider.serverDir, parts);
    // A new database takes the peerings over, and the server's own has them.
    await recover(["--apply"], settings);
    const before = await readState();
    let kills = 0;
    for (const step of shareOfNumbers()) {
      const identity = randomUUID();
      for (const statement of makeOlder(identity)) await query(statement);
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
