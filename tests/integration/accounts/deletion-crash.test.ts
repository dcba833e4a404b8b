/** Kills a real server process with SIGKILL at many points of the deletion of an account, and restarts it. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";
import { startDemoProcess } from "../server/demo-process.ts";
import { caller, deployPeering, logIn, signUp } from "../server/participant.ts";

const asn = "4242420001";
const username = { username: asn };
const password = "a sentence for the tests";
const nodes = ["syd01", "de01"];
/** The removal from simulated routers takes about 100 ms at this scale. */
const timeScale = 0.15;
/** Few, since an AS may request few registration mails in an hour. */
const killDelaysMs = oneOfCommit([0, 60, 120, 180]);

describeWithDatabase(
  "a server that is killed while it deletes an account",
  { postgres: "campaigns" },
  (openUrl) => {
    test("completes the deletion after each kill", { timeout: 240_000 }, async () => {
      const database = await openUrl();
      const dataDir =
        database.kind === "sqlite"
          ? database.dataDir
          : await mkdtemp(join(scratchFolder(), "peerdeck-kill-"));
      const environment = {
        PORT: "0",
        DATA_DIR: dataDir,
        DEMO_TIME_SCALE: String(timeScale),
        ...compileCache,
        ...(database.kind === "postgres" && { DATABASE_URL: database.url, PEERDECK_DEMO: "1" }),
      };
      let server = await startDemoProcess(environment);
      try {
        for (const delayMs of killDelaysMs) {
          const owner = await signUp(server.url, asn, password);
          // Nothing of the deleted account is left, and its values are free.
          expect(await owner.call(calls.getPeeredNodes, username)).toEqual([]);
          for (const node of nodes) await deployPeering(owner, node);
          const deletion = await owner.call(calls.deleteAccount, { ...username, password });
          await pause(delayMs);
          server.child.kill("SIGKILL");
          await once(server.child, "exit");

          server = await startDemoProcess(environment);
          const call = caller(server.url);
          await expect
            .poll(() => call(calls.getAccountDeletion, { id: deletion.id }), { timeout: 30_000 })
            .toMatchObject({ state: "deleted", peerings: [] });
          await expect(logIn(server.url, asn, password)).rejects.toMatchObject({ status: 401 });
        }
      } finally {
        server.child.kill("SIGKILL");
        await once(server.child, "exit");
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  },
);
