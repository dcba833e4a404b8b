/** The lines of docs/operations.md that copy and restore a PostgreSQL database, as they stand in the document. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, openAsServer, postgresTemplate } from "../../support/databases.ts";
import { repository } from "../../support/repository.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

async function listAccounts(url: string) {
  await using database = await openAsServer({ kind: "postgres", url });
  return database.db.selectFrom("accounts").select(["asn", "created_at"]).orderBy("asn").execute();
}

function account(asn: string, created_at: number) {
  return { asn, password_hash: "hash", created_at, verified_holder: "ADA-MNT", checked_at: 0 };
}

test("the documented lines copy a database that is in use, and restore it over a newer one and into an empty one", async () => {
  const folder = await mkdtemp(join(scratchFolder(), "peerdeck-dump-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const guide = await readFile(join(repository, "docs/operations.md"), "utf8");
  const run = (line: RegExp, url: string) =>
    promisify(execFile)("sh", ["-c", line.exec(guide)?.[0] ?? "exit 64"], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: url },
    });

  await using used = await createTestDatabase(postgresTemplate);
  {
    await using database = await openAsServer({ kind: "postgres", url: used.url });
    await database.db.insertInto("accounts").values(account("4242420001", 1)).execute();
    await run(/^umask 077 && pg_dump .*$/m, used.url);
    expect((await stat(join(folder, "peerdeck.pgdump"))).mode & 0o777).toBe(0o600);
    await database.db.deleteFrom("accounts").execute();
    await database.db.insertInto("accounts").values(account("4242420002", 2)).execute();
  }

  await using empty = await createTestDatabase();
  for (const { url } of [used, empty]) {
    await run(/^ *pg_restore .*$/m, url);
    expect(await listAccounts(url)).toEqual([{ asn: "4242420001", created_at: 1 }]);
  }
});
