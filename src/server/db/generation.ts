import type { Db } from "./open.ts";

/**
 * The next generation number, higher than `above` and than every one before.
 *
 * To be taken first in a transaction that changes what is desired: the row it writes is locked until the
 * end of that transaction, so that all such changes happen one after the other, on every server.
 */
export async function takeGeneration(tx: Db, above = 0): Promise<number> {
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
