/** A provider's database and a demo's: each server refuses the other's, before it changes anything. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { start as startDemo } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";
import { postgresVariables } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { signUpByMail } from "./mailed-link.ts";
import { createServerDatabase } from "./database.ts";
import { runUntilError, setUpProvider } from "./provider.ts";

const where = { sqlite: "The folder", postgres: "The database in DATABASE_URL" } as const;

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  async function setUp() {
    await using parts = new AsyncDisposableStack();
    const provider = parts.use(await setUpProvider(["syd01"]));
    const { serverDir } = provider;
    const database = await createServerDatabase(kind, serverDir, parts);
    const { DATABASE_URL: url } = database.settings;
    const settings = url === undefined ? {} : postgresVariables(url);
    // The identity is the mark of a provider's folder. It is lost here, or in another folder.
    await rm(join(serverDir, "identity"), { recursive: true });
    const all = parts.move();
    const snapshot = async () => ({
      // A reader of SQLite leaves files of its own beside the database.
      files: (await readdir(serverDir, { recursive: true }))
        .filter((name) => !/-(?:shm|wal)$/.test(name))
        .toSorted(),
      installation: await database.query("SELECT kind FROM installation"),
      samples: await database.query("SELECT count(*) AS count FROM node_samples"),
    });
    return {
      provider,
      settings,
      database,
      snapshot,
      runProvider: async () => (await provider.startServer(settings)).stop(),
      refuseProvider: () => provider.refuseStart(settings),
      /** Starts a demo and stops it. Returns what the operator reads. */
      runDemo: async () => {
        const environment = readEnvironment({ ...provider.environment, ...settings, PEERDECK_CONFIG: "" });
        const { output } = await runUntilError(environment, async () => {
          await using _demo = await startDemo(environment, createLog("silent"), {
            timeScale: 0.01,
            passwords: createFastPasswords(),
          });
          return 0;
        });
        return output;
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  }

  test("the demo refuses a provider's database whose identity is missing", async () => {
    await using scene = await setUp();
    await scene.runProvider();
    await rm(join(scene.provider.serverDir, "identity"), { recursive: true });
    const before = await scene.snapshot();
    expect(await scene.runDemo()).toContain(
      "contains a provider's data, which the demo would change. Nothing was started.",
    );
    expect(await scene.snapshot()).toEqual(before);
    await scene.runProvider();
  });

  test("a provider's server and its commands refuse a demo's database", async () => {
    await using scene = await setUp();
    expect(await scene.runDemo()).toBe("");
    const before = await scene.snapshot();
    expect(before.installation).toEqual([{ kind: "demo" }]);
    const sentence = `contains a demo's data, which a provider's server would use as its own. Nothing was started.`;
    const refused = await scene.refuseProvider();
    expect(refused).toContain(sentence);
    expect(refused.startsWith(where[kind])).toBe(true);
    expect(await scene.provider.runCommand(["recover", "--apply"], scene.settings)).toMatchObject({
      code: 1,
      output: refused,
    });
    expect(await scene.snapshot()).toEqual(before);
    expect(await scene.runDemo()).toBe("");
  });

  test("a database without its kind is a provider's if it has an account", async () => {
    await using scene = await setUp();
    const server = await scene.provider.startServer(scene.settings);
    await scene.database.query("DELETE FROM installation");
    await rm(join(scene.provider.serverDir, "identity"), { recursive: true });
    await signUpByMail(scene.provider.mail, server.url, "4242420001");
    await server.stop();
    expect(await scene.runDemo()).toContain("contains a provider's data");
    expect(await scene.database.query("SELECT kind FROM installation")).toEqual([]);
    await scene.database.query("DELETE FROM accounts");
    expect(await scene.runDemo()).toBe("");
    expect(await scene.database.query("SELECT kind FROM installation")).toEqual([{ kind: "demo" }]);
  });
});
