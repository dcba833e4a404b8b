/** A tunnel's counters in the rows of its half hours: a row for each minute took most of the database's size and writes. */
import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database-version.ts";

/** The format of `formatCounters` in `src/server/features/peerings/observed/traffic.ts`. */
const line = "at || ' ' || received || ' ' || sent || chr(10)";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["current_half_hours", "past_half_hours"])
    await db.schema
      .alterTable(table)
      .addColumn("traffic", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  // The next end of a half hour moves them to the past ones.
  const own = "FROM traffic_samples AS samples WHERE samples.asn = halves.asn AND samples.node = halves.node";
  const lines = isPostgres(db)
    ? `SELECT string_agg(${line}, '' ORDER BY at) ${own}`
    : `SELECT group_concat(line, '') FROM (SELECT ${line.replace("chr", "char")} AS line ${own} ORDER BY at)`;
  await sql`UPDATE current_half_hours AS halves SET traffic = COALESCE((${sql.raw(lines)}), '')`.execute(db);
  await db.schema.dropTable("traffic_samples").execute();
}
