import type { Db } from "./open.ts";

/**
 * Returns the UUID that the database received when it was created. A restored backup keeps it; another database has
 * another one. It is read each time, because a backup may be restored under a running server.
 */
export async function readDatabaseIdentity(db: Db): Promise<string> {
  const { id } = await db.selectFrom("database_identity").select("id").executeTakeFirstOrThrow();
  return id;
}
