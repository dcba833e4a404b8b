import { sql } from "kysely";
import type { Db } from "./open.ts";

/**
 * No counter of a lost database was higher: a provider with a change in every second reaches it after 15 years. So a hostile
 * agent cannot use up the numbers of all nodes.
 */
const maxLostGeneration = 1_000_000_000;

/** The counter of databases from before each node had its own. A node's counter starts with it. */
const former = "generation";
const counterOf = (node: string) => `${former} ${node}`;

/** Returns the highest generation that an agent can have: from this database, or from one that was lost. */
export async function readMaxGeneration(db: Db): Promise<number> {
  return Math.max(await readNewestGeneration(db), maxLostGeneration);
}

/** Returns the highest generation that this database has given to any node; 0 if it has given none. */
export async function readNewestGeneration(db: Db): Promise<number> {
  const { value } = await db
    .selectFrom("counters")
    .select(({ fn }) => fn.max("value").as("value"))
    .where("name", "like", `${former}%`)
    .executeTakeFirstOrThrow();
  return value;
}

/**
 * Returns the next generation number of a node, higher than every earlier one, and than `reported` if an agent can have that.
 *
 * Call it in a transaction that has locked the node's peerings (`peering-locks.ts`): numbers are committed in their order then.
 */
export async function takeGeneration(tx: Db, node: string, reported = 0): Promise<number> {
  const above = Math.min(reported, maxLostGeneration);
  const next = (value: number | ReturnType<typeof sql.ref>) =>
    sql<number>`CASE WHEN ${value} >= ${above} THEN ${value} + 1 ELSE ${above + 1} END`;
  const { value } = await tx
    .insertInto("counters")
    .columns(["name", "value"])
    .expression((row) =>
      row
        .selectFrom("counters as before")
        .select([sql<string>`${counterOf(node)}`.as("name"), next(sql.ref("before.value")).as("value")])
        .where("before.name", "=", former),
    )
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: next(sql.ref("counters.value")) }))
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}
