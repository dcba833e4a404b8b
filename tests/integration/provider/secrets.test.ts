/** Secrets in the database of a running server: what the database alone reveals, and what a lost or another key does. */
import { chmod, cp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployPeering, logIn } from "../server/participant.ts";
import { createServerDatabase, type ServerDatabase } from "./database.ts";
import { signUpByMail } from "./mailed-link.ts";
import { type Provider, type Server, type Settings, setUpProvider } from "./provider.ts";

const asn = "4242420001";
/** Without a pre-shared key. */
const another = "4242420002";
const node = "syd01";
const newKey = () => randomBytes(32).toString("base64");

describe.each(shareOfDatabases("secrets"))("with %s", (kind) => {
  let provider: Provider;
  let server: Server | null = null;
  /** The folder and the settings of the server. */
  let dataDir: string;
  let settings: Settings;
  let database: ServerDatabase;
  let publicKey: string;
  const parts = new AsyncDisposableStack();

  beforeAll(async () => {
    provider = parts.use(await setUpProvider([node]));
    await provider.startAgent(node);
    dataDir = await createFolder();
    database = await createServerDatabase(kind, dataDir, parts);
    settings = { DATA_DIR: dataDir, ...database.settings };
    server = await provider.startServer(settings);
    const participant = await signUpByMail(provider.mail, server.url, asn);
    await deployPeering(participant, node, { preshared_key: "generate" });
    publicKey = await readPublicKey();
  });
  afterAll(() => parts.disposeAsync());

  async function createFolder(): Promise<string> {
    const folder = await createScratchFolder((remove) => parts.defer(remove));
    await cp(join(provider.serverDir, "identity"), join(folder, "identity"), { recursive: true });
    return folder;
  }

  const readApplied = async (username: string) =>
    (await provider.readPeerings()).find((peering) => peering.asn === username);

  const logInAs = (username: string) => logIn(server?.url ?? "", username);

  async function readPublicKey(): Promise<string> {
    const participant = await logInAs(asn);
    return (await participant.call(calls.getPushSettings, { username: asn })).publicKey ?? "";
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = null;
  }

  async function restart(changes: Settings = {}): Promise<void> {
    await stop();
    server = await provider.startServer({ ...settings, ...changes });
  }

  const refused = (changes: Settings = {}) => provider.refuseStart({ ...settings, ...changes });

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
    const [push] = await database.query("SELECT name, private_key FROM push_keys");
    const [clients] = await database.query("SELECT key FROM signing_keys");
    expect([push?.["private_key"], clients?.["key"]]).toEqual([
      expect.stringMatching(/^sealed:/),
      expect.stringMatching(/^sealed:/),
    ]);
    await database.query("UPDATE push_keys SET private_key = 'not sealed'");
    expect(await refused()).toBe(
      `The value of push_keys.private_key ${String(push?.["name"])} in the database is not sealed. Nothing was changed. ` +
        "Restore a backup, or run: peerdeck reset-secrets\n",
    );
    await database.query(`UPDATE push_keys SET private_key = '${String(push?.["private_key"])}'`);
    await restart();
    expect(await readPublicKey()).toBe(publicKey);
  });

  test("a server without the key, or with another one, refuses to start and changes nothing", async () => {
    await stop();
    const before = await database.query("SELECT * FROM push_keys");
    expect(await refused({ PEERDECK_SECRET: "too short" })).toBe(
      "The variable PEERDECK_SECRET must contain a key of 32 bytes in base64, such as the output of: openssl rand -base64 32\n",
    );
    await rename(keyFile(), `${keyFile()}.away`);
    expect(await refused()).toMatch(notOpened);
    expect(await readdir(dataDir)).not.toContain("secret.key");
    expect(await refused({ PEERDECK_SECRET: newKey() })).toMatch(notOpened);
    await writeFile(keyFile(), newKey(), { mode: 0o600 });
    expect(await refused()).toContain("If the key is lost, run: peerdeck reset-secrets");
    expect(await database.query("SELECT * FROM push_keys")).toEqual(before);
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
    const participant = await logInAs(asn);
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
    const participant = await logInAs(asn);
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
    const participant = await signUpByMail(provider.mail, server?.url ?? "", another);
    await deployPeering(participant, node);
    const before = await readApplied(asn);
    await stop();
    await database.query("UPDATE peerings SET generation = generation + 1000");
    await restart();
    await waitFor(async () => expect((await readApplied(another))?.generation).toBeGreaterThan(1000));
    expect(await readApplied(asn)).toEqual(before);
    expect(before?.routed?.peering.presharedKey).toEqual(expect.any(String));
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
