import type { Db } from "./open.ts";

/**
 * No counter of a lost database was higher: a provider with a change in every second reaches it after 15 years. So a hostile
 * agent cannot use up the numbers of all nodes.
 */
const maxLostGeneration = 1_000_000_000;

/** Returns the highest generation that an agent can have: from this database, or from one that was lost. */
export async function readMaxGeneration(db: Db): Promise<number> {
  const { value } = await db
    .selectFrom("counters")
    .select("value")
    .where("name", "=", "generation")
    .executeTakeFirstOrThrow();
  return Math.max(value, maxLostGeneration);
}

/**
 * Returns the next generation number, higher than every earlier one, and than `reported` if an agent can have that.
 *
 * Call it first in a transaction that changes desired state: it locks the counter's row until the end of the
 * transaction, which serialises all such changes over all servers.
 */
export async function takeGeneration(tx: Db, reported = 0): Promise<number> {
  const above = Math.min(reported, maxLostGeneration);
  const { value } = await tx
    .updateTable("counters")
    .set((eb) => ({
      value: eb
        .case()
        .when("value", ">=", above)
        .then(eb("value", "+", 1))
        .else(above + 1)
        .end(),
    }))
    .where("name", "=", "generation")
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}
