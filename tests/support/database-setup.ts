/**
 * Before the first integration test, starts PostgreSQL and migrates one database of each dialect. Tests copy these,
 * because a copy costs less than a migration. After the last test, removes all of them.
 */
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/server/db/open.ts";
import { postgresTemplate, runSql } from "./databases.ts";
import { startPostgresCluster } from "./postgres-cluster.ts";
import { createScratchFolder } from "./scratch-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A superuser's URL of the private cluster. */
    postgresAdminUrl: string;
    /** The file of a migrated SQLite database without rows. */
    sqliteTemplate: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using parts = new AsyncDisposableStack();
  const { adminUrl } = parts.use(await startPostgresCluster());
  const dataDir = await createScratchFolder((remove) => parts.defer(remove));

  await runSql(adminUrl, `create database ${postgresTemplate}`);
  for (const url of [null, new URL(`/${postgresTemplate}`, adminUrl).href])
    await (await openDatabase({ dataDir, url, onError: rethrow }))[Symbol.asyncDispose]();

  project.provide("postgresAdminUrl", adminUrl);
  project.provide("sqliteTemplate", path.join(dataDir, "peerdeck.sqlite"));
  const all = parts.move();
  return () => all.disposeAsync();
}

function rethrow(error: unknown): never {
  throw error;
}
