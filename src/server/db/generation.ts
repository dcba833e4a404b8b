import type { Db } from "./open.ts";

/**
 * Returns the next generation number, higher than `above` and than every earlier one.
 *
 * Call it first in a transaction that changes desired state: it locks the counter's row until the end of the
 * transaction, which serialises all such changes over all servers.
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
