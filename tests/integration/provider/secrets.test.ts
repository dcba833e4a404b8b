/** Secrets in the database of a running server: what the database alone reveals, and what a lost or another key does. */
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { createTestDatabase } from "../../support/databases.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { logIn, peerUpdate, waitForTask } from "../server/participant.ts";
import { register } from "./mailed-link.ts";
import { type Provider, type Server, setUpProvider } from "./provider.ts";

const asn = "4242420001";
/** Without a pre-shared key. */
const another = "4242420002";
const node = "syd01";
const password = "a sentence for the tests";
const newKey = () => randomBytes(32).toString("base64");

describe.each(["sqlite", "postgres"] as const)("with %s", (kind) => {
  let provider: Provider;
  let server: Server | null = null;
  /** The folder and the settings of the server. */
  let dataDir: string;
  let settings: Readonly<Record<string, string>>;
  let publicKey: string;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUpProvider([node]));
    await provider.startAgent(node);
    dataDir = await createFolder();
    const database =
      kind === "postgres" ? { DATABASE_URL: parts.use(await createTestDatabase()).url } : undefined;
    settings = { DATA_DIR: dataDir, ...database };
    server = await provider.startServer(settings);
    await register(provider.mail, server?.url ?? "", { asn, password });
    await deploy(peerUpdate({ node, preshared_key: "generate" }));
    publicKey = await readPublicKey();
  });
  afterAll(() => parts.disposeAsync());

  async function deploy(update: PeerUpdate, username = asn): Promise<void> {
    const participant = await logIn(server?.url ?? "", username, password);
    const { taskID } = await participant.call(calls.updatePeerConfig, [{ username }, update]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  }

  async function createFolder(): Promise<string> {
    const folder = await mkdtemp(join(scratchFolder(), "peerdeck-secrets-"));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    await cp(join(provider.serverDir, "identity"), join(folder, "identity"), { recursive: true });
    return folder;
  }

  /** What the node runs, by AS. */
  async function readApplied() {
    const text = await readFile(join(provider.agents[0]?.stateDir ?? "", "state.json"), "utf8");
    const { peerings } = JSON.parse(text) as {
      readonly peerings: ReadonlyArray<{ readonly asn: string; readonly generation: number }>;
    };
    return new Map(peerings.map((peering) => [peering.asn, peering]));
  }

  async function readPublicKey(): Promise<string> {
    const participant = await logIn(server?.url ?? "", asn, password);
    return (await participant.call(calls.getPushSettings, { username: asn })).publicKey ?? "";
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = null;
  }

  async function restart(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    await stop();
    server = await provider.startServer({ ...settings, ...changes });
  }

  const refused = (changes: Readonly<Record<string, string>> = {}) =>
    provider.refuseStart({ ...settings, ...changes });

  async function query(statement: string): Promise<ReadonlyArray<Record<string, unknown>>> {
    const { DATABASE_URL: url } = settings;
    if (url === undefined) {
      using database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"));
      return database.prepare(statement).all();
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return ((await client.query(statement)).rows ?? []) as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  const keyFile = () => join(dataDir, "secret.key");
  const notOpened = /^The secrets in the database are sealed with the key [0-9a-f]{16}, which is neither in /;

  test("the key is in a file that only the owner reads, and a file that others may read is refused", async () => {
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    await stop();
    await chmod(keyFile(), 0o640);
    expect(await refused()).toBe(
      `${keyFile()} contains a secret key and other users may read it. Run: chmod 600 ${keyFile()}\n`,
    );
    await chmod(keyFile(), 0o600);
  });

  test("the keys are sealed, and a key that is not sealed is refused", async () => {
    await stop();
    const [push] = await query("SELECT name, private_key FROM push_keys");
    const [clients] = await query("SELECT key FROM signing_keys");
    expect([push?.["private_key"], clients?.["key"]]).toEqual([
      expect.stringMatching(/^sealed:/),
      expect.stringMatching(/^sealed:/),
    ]);
    await query("UPDATE push_keys SET private_key = 'not sealed'");
    expect(await refused()).toBe(
      `The value of push_keys.private_key ${String(push?.["name"])} in the database is not sealed. Nothing was changed. ` +
        "Restore a backup, or run: npm run reset-secrets\n",
    );
    await query(`UPDATE push_keys SET private_key = '${String(push?.["private_key"])}'`);
    await restart();
    expect(await readPublicKey()).toBe(publicKey);
  });

  test("a server without the key, or with another one, refuses to start and changes nothing", async () => {
    await stop();
    const before = await query("SELECT * FROM push_keys");
    expect(await refused({ PEERDECK_SECRET: "too short" })).toBe(
      "The variable PEERDECK_SECRET must contain a key of 32 bytes in base64, such as the output of: openssl rand -base64 32\n",
    );
    await rename(keyFile(), `${keyFile()}.away`);
    expect(await refused()).toMatch(notOpened);
    expect(await readdir(dataDir)).not.toContain("secret.key");
    expect(await refused({ PEERDECK_SECRET: newKey() })).toMatch(notOpened);
    await writeFile(keyFile(), newKey(), { mode: 0o600 });
    expect(await refused()).toContain("If the key is lost, run: npm run reset-secrets");
    expect(await query("SELECT * FROM push_keys")).toEqual(before);
    await rename(`${keyFile()}.away`, keyFile());
    await restart();
    expect(await readPublicKey()).toBe(publicKey);
  });

  test("the key moves to PEERDECK_SECRET, which takes precedence, and is then needed", async () => {
    const key = newKey();
    await restart({ PEERDECK_SECRET: key });
    await stop();
    await rm(keyFile());
    await restart({ PEERDECK_SECRET: key });
    expect(await readPublicKey()).toBe(publicKey);
    await stop();
    expect(await refused()).toMatch(notOpened);
    // Two keys: the first one is new, the other one opens what is there.
    const next = newKey();
    await restart({ PEERDECK_SECRET: `${next},${key}` });
    await restart({ PEERDECK_SECRET: next });
    expect(await readPublicKey()).toBe(publicKey);
    const participant = await logIn(server?.url ?? "", asn, password);
    const { preshared_key } = await participant.call(calls.getPresharedKey, { username: asn, node });
    expect(Buffer.from(preshared_key, "base64")).toHaveLength(32);
    settings = { ...settings, PEERDECK_SECRET: next };
  });

  test("without the key, reset-secrets lets the server start, and accounts and peerings stay", async () => {
    await stop();
    const { PEERDECK_SECRET: _lost, ...others } = settings;
    settings = others;
    const shown = await provider.runCommand(["reset-secrets"], settings);
    expect(shown.output).toContain("the keys of push messages and 0 subscriptions that were made for them");
    expect(shown.output).toContain("Nothing was changed.");
    expect(await refused()).toMatch(notOpened);
    expect(await provider.runCommand(["reset-secrets", "--apply"], settings)).toMatchObject({
      code: 0,
      output: expect.stringContaining("Deleted. The server creates new keys when it starts.") as string,
    });
    await restart();
    expect(await readPublicKey()).not.toBe(publicKey);
    const participant = await logIn(server?.url ?? "", asn, password);
    // The node has the key of the tunnel, and the database has lost it.
    expect(await participant.call(calls.getPeerConfig, { username: asn, node })).toMatchObject({
      [node]: { preshared_key: "unknown" },
    });
    const sentence = "The operator deleted the secrets that the server's keys do not open.";
    const { output } = await provider.runCommand(["audit", "--since", "1h"], settings);
    expect(output).toContain(`${sentence} Deleted: the keys of push messages and 0 subscriptions`);
    const activity = await participant.call(calls.getActivity, { username: asn });
    expect(JSON.stringify(activity)).not.toContain(sentence);
    await stop();
    expect((await provider.runCommand(["reset-secrets"], settings)).output).toContain(
      "Nothing has to be done.",
    );
  });

  test("a drifted peering whose key only the node has stays as the node runs it", async () => {
    await restart();
    await register(provider.mail, server?.url ?? "", { asn: another, password });
    await deploy(peerUpdate({ node, peer_ipv6: "fe80::2" }), another);
    const before = await readApplied();
    await stop();
    await query("UPDATE peerings SET generation = generation + 1000");
    await restart();
    await waitFor(async () => {
      const repaired = (await readApplied()).get(another)?.generation ?? 0;
      if (repaired <= 1000) throw new Error("the other peering is not repaired");
    });
    expect((await readApplied()).get(asn)).toEqual(before.get(asn));
    expect(before.get(asn)).toMatchObject({
      routed: { peering: { presharedKey: expect.any(String) as string } },
    });
    await stop();
  });

  const testOnPostgres = kind === "postgres" ? test : () => undefined;

  testOnPostgres("servers that share a database need the same key", async () => {
    await restart();
    const other = await createFolder();
    expect(await refused({ DATA_DIR: other })).toMatch(notOpened);
    await cp(keyFile(), join(other, "secret.key"));
    await provider.startServer({ ...settings, DATA_DIR: other });
  });
});
