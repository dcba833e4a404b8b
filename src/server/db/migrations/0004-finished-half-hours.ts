/** A place for the half hour before the present one, and indexes of what is read often. */
import type { Kysely } from "kysely";

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable("current_half_hours").addColumn("finished", "text").execute();
  await schema
    .createIndex("current_half_hours_finished")
    .on("current_half_hours")
    .columns(["asn", "node"])
    .where("finished" as never, "is not", null)
    .execute();
  await schema.createIndex("node_samples_by_time").on("node_samples").column("at").execute();
}
