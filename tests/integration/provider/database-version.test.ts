/** A server that starts with the database of another version: it refuses, and the node's peerings keep running. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createTestDatabase, runSql } from "../../support/databases.ts";
import { caller, logIn, peerUpdate, waitForTask } from "../server/participant.ts";
import { register } from "./mailed-link.ts";
import { setUpProvider } from "./provider.ts";

const asn = "4242420001";
const node = "syd01";
const password = "a sentence for the tests";
const plant = "INSERT INTO kysely_migration VALUES ('9999-later', '')";
const remove = "DELETE FROM kysely_migration WHERE name = '9999-later'";
const age = "UPDATE kysely_migration SET name = '0000-earlier'";
const newer =
  "The database was not changed, because a newer version of Peerdeck has migrated it (9999-later): start that version, " +
  "or restore a backup that this version has made.\n";
const older =
  "The database was not changed, because it is from an older version of Peerdeck that this one cannot migrate: start the " +
  "version that has made it, or set DATA_DIR or DATABASE_URL to an empty database.\n";

test.each(["sqlite", "postgres"] as const)(
  "on %s a newer and an older database are refused while the node's sessions stay up",
  // It starts nine programs, one after the other.
  { timeout: 120_000 },
  async (kind) => {
    await using parts = new AsyncDisposableStack();
    const provider = parts.use(await setUpProvider([node]));
    const agent = await provider.startAgent(node);
    const url = kind === "postgres" ? parts.use(await createTestDatabase()).url : null;
    const settings = { ...(url !== null && { DATABASE_URL: url }) };
    const path = join(provider.serverDir, "peerdeck.sqlite");
    const run = async (statement: string): Promise<void> => {
      if (url !== null) return runSql(url, statement);
      using database = new DatabaseSync(path);
      database.exec(statement);
    };
    const readState = () => readFile(join(provider.agents[0]?.stateDir ?? "", "state.json"), "utf8");

    const first = await provider.startServer(settings);
    await register(provider.mail, first.url, { asn, password });
    const participant = await logIn(first.url, asn, password);
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: asn },
      peerUpdate({ node }),
    ]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
    /** The first line of each session in BIRD, with its state, and since when. */
    const readSessions = async (call: typeof participant.call) => {
      const details = await call(calls.getPeerDetails, { username: asn, node });
      return details[node]?.bgp_details.output.match(/^dn42_.*$/gm) ?? [];
    };
    const readStatus = () => participant.call(calls.getPeerStatus, { username: asn });
    await expect.poll(async () => JSON.stringify(await readStatus())).toContain('"Established"');
    const sessions = await readSessions(participant.call);
    expect(sessions).toEqual([expect.stringContaining("Established")]);
    const state = await readState();
    await first.stop();

    const linesBefore = agent.log.length;
    for (const [change, message] of [
      [plant, newer],
      [`${remove}; ${age}`, older],
    ] as const) {
      await run(change);
      const bytes = url === null && (await readFile(path));
      expect(await provider.refuseStart(settings)).toBe(message);
      if (bytes !== false) expect((await readFile(path)).equals(bytes)).toBe(true);
    }
    expect(agent.log.slice(linesBefore)).toEqual([]);

    await run("UPDATE kysely_migration SET name = '0001-initial'");
    const second = await provider.startServer(settings);
    expect(await readSessions(caller(second.url, participant.cookie))).toEqual(sessions);
    expect(await readState()).toBe(state);
  },
);
