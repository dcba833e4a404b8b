/**
 * Replaces the tables of a PostgreSQL database by those of a dump: `pg_restore --clean` would leave the tables that only a
 * newer version has.
 *
 * Invariants:
 * - Nothing changes before the whole dump was read.
 * - One transaction empties the schema and restores the dump, so the database has one of the two states after a crash.
 * - The transaction locks all tables, and only then checks that no other program is connected: a server that starts later
 *   waits for the locks before it reads or migrates anything.
 * - Other schemas, and what belongs to extensions, stay.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { listTables, runRestoreProgram, runWith } from "./postgres-dump.ts";
import { countOf } from "#domain/text/plural.ts";

export interface PostgresPlace {
  readonly database: string;
  /** The schema of Peerdeck's tables, which the search path of DATABASE_URL chooses. */
  readonly schema: string;
  /** The names of all tables in all schemas, those of other programs too. */
  readonly tables: readonly string[];
}

export interface OtherConnection {
  readonly pid: number;
  readonly name: string | null;
  readonly address: string | null;
}

export interface ReplacingDump {
  readonly dump: string;
  readonly migrations: readonly string[];
  /** An existing folder for the SQL, which has the size of the database. */
  readonly staging: string;
}

/** How long a connection may take to end after its program has ended. */
const endingMs = 2_000;
const pollMs = 100;

/** Users without special rights see these columns of other users' connections. Background processes have no user. */
const otherConnections = `SELECT pid, application_name AS name, client_addr AS address FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
    AND coalesce(backend_type, 'client backend') = 'client backend'`;

export async function readPostgresPlace(url: string): Promise<PostgresPlace> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ database: string; schema: string | null }>(
      "SELECT current_database() AS database, current_schema() AS schema",
    );
    const [{ database, schema } = { database: "", schema: null }] = rows;
    if (schema === null) throw new Error(`the user of DATABASE_URL has no schema in ${database}`);
    return { database, schema, tables: await listTables(client) };
  });
}

/** Returns the connections to a database besides the own one. Waits for those whose program has just ended. */
export async function findOtherConnections(url: string): Promise<readonly OtherConnection[]> {
  return await withClient(url, async (client) => {
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const { rows } = await client.query<OtherConnection>(`${otherConnections} ORDER BY pid`);
      if (rows.length === 0 || waitedMs >= endingMs) return rows;
      await client.query(`SELECT pg_sleep(${pollMs / 1000})`);
    }
  });
}

/** "3 connections (peerdeck from 192.0.2.1, psql)" */
export function describeConnections(connections: readonly OtherConnection[]): string {
  const programs = connections.map(({ pid, name, address }) => {
    const program = name === null || name === "" ? `process ${pid}` : name;
    return address === null ? program : `${program} from ${address}`;
  });
  const count = countOf(connections.length, "connection");
  return `${count} (${[...new Set(programs)].join(", ")})`;
}

/** Throws with the reason that PostgreSQL's programs printed if it fails; the database is unchanged then. */
export async function replacePostgres(
  { url, schema }: PostgresPlace & { readonly url: string },
  { dump, migrations, staging }: ReplacingDump,
): Promise<void> {
  const [emptying, restoring, checking] = ["empty.sql", "restore.sql", "check.sql"].map((name) =>
    join(staging, name),
  ) as [string, string, string];
  // Reads the whole dump, and so shows whether it is complete. `--schema` leaves out the creation of the schema.
  await runRestoreProgram(["--no-owner", `--schema=${schema}`, `--file=${restoring}`, dump]);
  await writeFile(emptying, emptySchema(schema), { mode: 0o600 });
  await writeFile(checking, checkMigrations(schema, migrations), { mode: 0o600 });
  const files = [emptying, restoring, checking].map((path) => `--file=${path}`);
  await runWith(url, "psql", [
    "--no-psqlrc",
    "--quiet",
    "--output=/dev/null",
    "--set=ON_ERROR_STOP=1",
    "--single-transaction",
    ...files,
  ]);
}

function isNotOfExtension(catalog: string, oid: string): string {
  return `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${oid} AND deptype = 'e')`;
}

/** Commands are listed before the first one runs: a dropped table takes its triggers and sequences with it. */
function emptySchema(schema: string): string {
  const name = pg.escapeLiteral(schema);
  return `SET LOCAL client_min_messages = warning;
SET LOCAL lock_timeout = '10s';
DO $$
DECLARE
  command text;
BEGIN
  FOR command IN SELECT format('LOCK TABLE %I.%I IN ACCESS EXCLUSIVE MODE', schemaname, tablename)
    FROM pg_tables WHERE schemaname = ${name} ORDER BY tablename
  LOOP EXECUTE command; END LOOP;
  FOR attempt IN 1..${endingMs / pollMs} LOOP
    PERFORM pg_stat_clear_snapshot();
    EXIT WHEN NOT EXISTS (${otherConnections});
    IF attempt = ${endingMs / pollMs} THEN RAISE EXCEPTION 'another program has connected to the database'; END IF;
    PERFORM pg_sleep(${pollMs / 1000});
  END LOOP;
  FOREACH command IN ARRAY ARRAY(
    SELECT format('DROP %s IF EXISTS %I.%I CASCADE', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
      WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'c' THEN 'TYPE' ELSE 'TABLE' END, nspname, relname)
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = ${name} AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c') AND ${isNotOfExtension("pg_class", "pg_class.oid")}
    UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', pg_proc.oid::regprocedure)
    FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
    WHERE nspname = ${name} AND ${isNotOfExtension("pg_proc", "pg_proc.oid")}
    UNION ALL SELECT format('DROP TYPE IF EXISTS %I.%I CASCADE', nspname, typname)
    FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace
    WHERE nspname = ${name} AND typtype IN ('e', 'd') AND ${isNotOfExtension("pg_type", "pg_type.oid")}
  ) LOOP EXECUTE command; END LOOP;
END $$;
`;
}

/** A dump whose tables are in another schema has restored nothing. */
function checkMigrations(schema: string, migrations: readonly string[]): string {
  const table = `${pg.escapeIdentifier(schema)}.kysely_migration`;
  return `DO $$ BEGIN
  IF (SELECT array_agg(name::text) FROM ${table}) @> ARRAY[${migrations.map(pg.escapeLiteral).join(", ")}] THEN RETURN; END IF;
  RAISE EXCEPTION 'the dump has no tables for the schema %', ${pg.escapeLiteral(schema)};
EXCEPTION WHEN undefined_table THEN RAISE EXCEPTION 'the dump has no tables for the schema %', ${pg.escapeLiteral(schema)};
END $$;
`;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
