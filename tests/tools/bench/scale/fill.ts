/** Fills a new database with peerings, accounts, login sessions, and what a server has observed of them in a day. */
import type { Insertable } from "kysely";
import { dayMs, halfHourMs, quarterMs, shownHalfHours } from "#contract/history.ts";
import { insertSession } from "#server/api/login-session-rows.ts";
import { createBulkInsert } from "#server/db/bulk/bulk-insert.ts";
import { migrationLimits } from "#server/db/database-limits.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { takeGeneration } from "#server/db/generation.ts";
import { type DatabaseOptions, type Db, openDatabase } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { deriveArgon2id, hashPassword } from "#server/features/accounts/password-hash.ts";
import { minuteMs, sampleRetentionMs } from "#server/features/observations/retention.ts";
import type { HalfHour } from "#server/features/peerings/observed/half-hours.ts";
import { formatCounters } from "#server/features/peerings/observed/traffic.ts";
import { asnOf, listPlaces, nodeNames, peeringAt, type Place, wideAsn } from "./layout.ts";

export interface Filling {
  readonly at: Pick<DatabaseOptions, "dataDir" | "url">;
  readonly peerings: number;
  /** When the last observation ended. */
  readonly now: number;
}

export interface Filled {
  /** The database's identity, by which agents recognise it. */
  readonly identity: string;
  /** The login cookies of the ASes, by AS number. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** As many as there can be event streams, also of ASes without peerings. */
export const accountCount = 2_000;
export const password = "a sentence for the benchmark";

export async function fillDatabase({ at, peerings, now }: Filling): Promise<Filled> {
  await using database = await openDatabase({
    ...at,
    onError,
    // A statement that fills a table takes longer than any of a server.
    limits: migrationLimits,
    migratesWithoutBackup: true,
  });
  const { db } = database;
  const places = listPlaces(peerings);
  const past = pastHalfHours(now);
  const currentTraffic = counterLines(now, 0, 28);
  await db.transaction().execute(async (tx) => {
    for (const node of nodeNames) await takeGeneration(tx, node);
    await insert(tx, "peerings", places.map(toPeering));
    await insert(
      tx,
      "current_half_hours",
      places.map((place) => toCurrent(place, now, currentTraffic)),
    );
    await insert(
      tx,
      "past_half_hours",
      places.map(({ asn, node }) => Object.assign({ asn, node }, past)),
    );
    for (const node of nodeNames) await fillNode(tx, node, now);
  });
  const cookies = await fillAccounts(db, now);
  return { identity: await readDatabaseIdentity(db), cookies };
}

function onError(error: unknown): never {
  throw error;
}

async function insert<Table extends keyof Schema>(
  tx: Db,
  table: Table,
  rows: ReadonlyArray<Insertable<Schema[Table]>>,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const insertRows = createBulkInsert(columns, (db, part) => db.insertInto(table).values(part as never));
  await insertRows(tx, rows);
}

function toPeering(place: Place): Insertable<Schema["peerings"]> {
  const peering = peeringAt(place);
  const { localIpv4: _ipv4, localIpv6: _ipv6, listenPort, ...request } = peering;
  return {
    asn: place.asn,
    node: place.node,
    generation: 1,
    revision: 1,
    present: 1,
    request: JSON.stringify({ ...request, customLocalIpv6: null }),
    peering: JSON.stringify(peering),
    listen_port: listenPort,
    peer_ipv4: null,
    peer_ipv6: null,
    public_key: peering.publicKey,
  };
}

/** A half hour that is about to end. */
function toCurrent(
  { asn, node }: Place,
  now: number,
  traffic: string,
): Insertable<Schema["current_half_hours"]> {
  const latencies = Array.from({ length: 28 }, (_, minute) => `${12 + (minute % 5)}.5 `).join("");
  return {
    asn,
    node,
    at: now,
    up: 28,
    down: 0,
    latencies,
    accepted: 6,
    refused: 0,
    bytes: 90_000_000,
    received: 100_000_000,
    sent: 9_000_000,
    traffic,
    finished: null,
  };
}

function pastHalfHours(now: number) {
  const newest = now - (now % halfHourMs) - halfHourMs;
  const halfHours = Array.from({ length: shownHalfHours }, (_, index): HalfHour => {
    const noise = index % 7;
    const start = newest - (shownHalfHours - 1 - index) * halfHourMs;
    return [start, 30 - noise, noise, 12 + noise, 6 + noise, noise, 90_000_000 + noise];
  });
  return { newest, half_hours: JSON.stringify(halfHours), traffic: counterLines(now, 28, 180) };
}

/** Counters of each minute between so many minutes ago. */
function counterLines(now: number, from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => {
    const age = to - 1 - index;
    const bytes = 99_000_000 - age * 10_000;
    return formatCounters({ at: now - age * minuteMs, received: bytes, sent: bytes });
  }).join("");
}

async function fillNode(tx: Db, node: string, now: number): Promise<void> {
  const samples = Array.from({ length: sampleRetentionMs / minuteMs }, (_, index) => ({
    node,
    at: now - index * minuteMs,
    state: "OK" as const,
    cpu_percent: 10 + (index % 9),
    memory_percent: 40,
    routes_ipv4: 812,
    routes_ipv6: 640,
  }));
  const quarters = Array.from({ length: 97 }, (_, index) => {
    const quarter = now - (now % quarterMs) - index * quarterMs;
    const counts = { ok: 15, issues: 0, down: 0, cpu_sum: 150, cpu_count: 15 };
    return {
      node,
      quarter,
      ...counts,
      last_at: Math.min(now, quarter + quarterMs - 1),
      last_state: "OK" as const,
    };
  });
  const days = Array.from({ length: 91 }, (_, index) => ({
    node,
    day: now - (now % dayMs) - index * dayMs,
    ok: 1438,
    issues: 1,
    down: 1,
  }));
  await insert(tx, "node_samples", samples);
  await insert(tx, "node_quarters", quarters);
  await insert(tx, "node_days", days);
}

/** One password hash for all: a hash for each would take a minute. */
async function fillAccounts(db: Db, now: number): Promise<ReadonlyMap<string, string>> {
  const hash = await hashPassword(deriveArgon2id, password);
  const asns = [wideAsn, ...Array.from({ length: accountCount }, (_, index) => asnOf(index))];
  const accounts = asns.map((asn) => ({
    asn,
    password_hash: hash,
    created_at: now - dayMs,
    verified_holder: "EXAMPLE-MNT",
    checked_at: now,
  }));
  return db.transaction().execute(async (tx) => {
    await insert(tx, "accounts", accounts);
    await tx
      .updateTable("accounts")
      .set({ first_login_at: now - dayMs })
      .execute();
    const cookies = new Map<string, string>();
    for (const asn of asns) {
      const { token } = await insertSession(tx, asn, noOrigin, now);
      cookies.set(asn, `peerdeck=${token}`);
    }
    return cookies;
  });
}
