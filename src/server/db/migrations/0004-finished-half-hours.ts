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
  await schema
    .createIndex("tasks_unfinished_on_node")
    .on("tasks")
    .columns(["node", "created_at"])
    .where("status" as never, "=", "waiting")
    .execute();
  await schema
    .createIndex("outbox_by_recipient")
    .on("outbox")
    .columns(["recipient", "subject", "created_at"])
    .execute();
  await schema.createIndex("node_samples_by_time").on("node_samples").column("at").execute();
}
