/** `recover --apply` is killed before each of its steps: the next run completes, and nothing on the node changes. */
import { randomUUID } from "node:crypto";
import { copyFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { caller, logIn, peerUpdate, waitForTask } from "../server/participant.ts";
import { setUpProvider } from "./provider.ts";

const node = "syd01";
const asns = ["4242420001", "4242420002", "4242420003"];
const password = "a sentence for the tests";
const preload = { NODE_OPTIONS: `--import ${join(import.meta.dirname, "kill-before-step.ts")}` };

interface StoredPeering {
  readonly asn: string;
  readonly generation: number;
  readonly database?: string;
}

test("a recovery that is killed before any step is completed by the next run", async () => {
  await using provider = await setUpProvider([node]);
  const agent = await provider.startAgent(node);
  const server = await provider.startServer();
  for (const [index, asn] of asns.entries()) {
    const anonymous = caller(server.url);
    const mailed = provider.mail.text().length;
    await anonymous(calls.sendEmailVerification, { asn });
    await expect.poll(() => provider.mail.text().slice(mailed)).toMatch(/token=[\w-]{43}/);
    const token = /token=([\w-]{43})/.exec(provider.mail.text().slice(mailed))?.[1] ?? "";
    await anonymous(calls.setPassword, { token, password });
    const participant = await logIn(server.url, asn, password);
    const update = peerUpdate({ node, peer_ipv6: `fe80::${index + 1}` });
    const { taskID } = await participant.call(calls.updatePeerConfig, [{ username: asn }, update]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  }
  await server.program.end("SIGTERM");
  const stateFile = join(provider.agents[0]?.stateDir ?? "", "state.json");
  const readPeerings = async () =>
    (JSON.parse(await readFile(stateFile, "utf8")) as { peerings: StoredPeering[] }).peerings;
  const readState = async () =>
    (await readPeerings())
      .map(({ database: _database, ...rest }) => rest)
      .toSorted((a, b) => a.asn.localeCompare(b.asn));
  const readDatabases = async () => (await readPeerings()).map(({ database }) => database);
  const before = await readState();
  // The older database does not know the first peering, and has another version of the second.
  const older = join(provider.serverDir, "older.sqlite");
  {
    using database = new DatabaseSync(join(provider.serverDir, "peerdeck.sqlite"));
    database.exec(`VACUUM INTO '${older}'`);
    using copy = new DatabaseSync(older);
    copy.exec(
      `UPDATE peerings SET generation = generation - 1, revision = revision - 1 WHERE asn = '${asns[1]}'`,
    );
    copy.exec(`DELETE FROM peerings WHERE asn = '${asns[0]}'; UPDATE counters SET value = 1`);
  }

  const killedBefore: number[] = [];
  for (let number = 1; ; number += 1) {
    const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-killed-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    await cp(join(provider.serverDir, "identity"), join(dataDir, "identity"), { recursive: true });
    await copyFile(older, join(dataDir, "peerdeck.sqlite"));
    const identity = randomUUID();
    {
      // Another database each time: the node is paired with the one before.
      using copy = new DatabaseSync(join(dataDir, "peerdeck.sqlite"));
      copy.exec(`UPDATE database_identity SET id = '${identity}'`);
    }
    const killed = await provider.runCommand(["recover", "--apply"], {
      DATA_DIR: dataDir,
      ...preload,
      KILL_BEFORE_STEP: String(number),
    });
    expect(await readState()).toEqual(before);
    if (killed.code === 0) break;
    expect(killed.code).toBeNull();
    killedBefore.push(number);
    expect(await provider.runCommand(["recover", "--apply"], { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
    });
    const shown = await provider.runCommand(["recover"], { DATA_DIR: dataDir });
    expect([number, shown.output]).toEqual([number, expect.stringContaining("  3 peerings are the same.\n")]);
    expect(await readState()).toEqual(before);
    // The database can change and remove all of them.
    expect(await readDatabases()).toEqual(asns.map(() => identity));
  }
  // The begin, the writes and the commit of the transaction, and the requests that read the node and pair the peerings.
  expect(killedBefore.length).toBeGreaterThan(8);
  await agent.end("SIGTERM");
}, 240_000);
