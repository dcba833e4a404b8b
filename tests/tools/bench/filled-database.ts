/** A SQLite database with peerings and a day of observations of them, and nodes that report them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Insertable } from "kysely";
import { peeringOf } from "#agent/fixtures/peerings.ts";
import type { ObservedPeering } from "#contract/agent.ts";
import type { Transport } from "#contract/client.ts";
import { dayMs, halfHourMs, quarterMs, shownHalfHours } from "#contract/history.ts";
import { readProfile } from "#server/config/profile-file.ts";
import type { NodeProfile, Profile } from "#server/config/profile.ts";
import { createBulkInsert } from "#server/db/bulk/bulk-insert.ts";
import { type Db, openDatabase } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { toHalfHour } from "#server/features/observations/record-half-hours.ts";
import { storeNodeSummaries } from "#server/features/observations/node-summaries.ts";
import type { HalfHour } from "#server/features/peerings/observed/half-hours.ts";
import { repository } from "../../support/repository.ts";
import { agentResponse } from "../../support/agent-response.ts";

export interface FilledDatabase extends AsyncDisposable {
  readonly db: Db;
  /** The time of the database. */
  readonly now: number;
  readonly profile: Profile;
  readonly asns: readonly string[];
  readonly transports: ReadonlyMap<string, Transport>;
}

interface FilledDatabaseOptions {
  /** Default 4. */
  readonly nodeCount?: number;
  /** On how many nodes each AS has a peering; default all. */
  readonly peeringsOfAs?: number;
}

const now = Date.UTC(2026, 10, 25, 10, 42);
const firstAsn = 4_242_420_001;
const health = { status: "OK", uptimeSeconds: 1, load: [0, 0, 0], findings: [], version: "" };

export async function openFilledDatabase(
  peeringCount: number,
  { nodeCount = 4, peeringsOfAs = nodeCount }: FilledDatabaseOptions = {},
): Promise<FilledDatabase> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "peerdeck-status-bench-"));
  parts.defer(() => rm(dataDir, { recursive: true }));
  const { db } = parts.use(await openDatabase({ dataDir, url: null, onError }));
  const demo = await readProfile(join(repository, "src/demo/provider.toml"));
  const nodeNames = Array.from({ length: nodeCount }, (_, index) => `n${index + 1}`);
  const nodes = nodeNames.map((name, index) => {
    return { ...(demo.nodes[index % demo.nodes.length] as NodeProfile), name };
  });
  const asns = Array.from({ length: Math.ceil(peeringCount / peeringsOfAs) }, (_, index) =>
    String(firstAsn + index),
  );
  const asnsOn = nodeNames.map((_, node) =>
    asns.filter((_asn, index) => {
      return (node - ((index * peeringsOfAs) % nodeCount) + nodeCount) % nodeCount < peeringsOfAs;
    }),
  );
  await db.transaction().execute(async (tx) => {
    for (const [index, node] of nodeNames.entries()) {
      const own = asnsOn[index] ?? [];
      const current = own.map((asn) => ({ ...toHalfHour(node, observe(asn), now, false), finished: null }));
      const past = own.map((asn) => Object.assign({ asn, node }, pastHalfHours));
      const peerings = own.map((asn) => toPeering(asn, node));
      await insert(tx, "peerings", peerings);
      await insert(tx, "current_half_hours", current);
      await insert(tx, "past_half_hours", past);
      await insert(tx, "node_quarters", quartersOf(node));
      await insert(tx, "node_days", daysOf(node));
    }
    await storeNodeSummaries(tx, now);
  });
  const responses: Readonly<Record<string, string>> = {
    "/v1/health": JSON.stringify(health),
    "/v1/usage": JSON.stringify({ cpuPercent: 10, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } }),
  };
  const openTransport = (own: readonly string[]): Transport => {
    const observed = JSON.stringify(own.map(observe));
    return async ({ path, body }) => ({
      ...agentResponse([]),
      text: async () => {
        if (path === "/v1/observe") return observed;
        const { asn } = JSON.parse(body ?? "{}") as { readonly asn?: string };
        return asn === undefined ? (responses[path] ?? "[]") : JSON.stringify({ peering: observe(asn) });
      },
    });
  };
  const all = parts.move();
  return {
    db,
    now,
    profile: { ...demo, nodes },
    asns,
    transports: new Map(nodeNames.map((node, index) => [node, openTransport(asnsOn[index] ?? [])])),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
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

function observe(asn: string): ObservedPeering {
  const routes = { received: 3, accepted: 3, refused: 0, exported: 640 };
  const session = { families: ["IPv6" as const], state: "Established", detail: "" };
  const traffic = { rxBytes: 123_456_789, txBytes: 987_654 };
  return {
    asn,
    tunnel: {
      state: "Up",
      ...traffic,
      handshakeAgeSeconds: 40,
      latencyMs: 12.4,
      lossPercent: 0,
      endpoint: null,
    },
    bgpStatus: "OK",
    sessions: [{ ...session, name: `dn42_${asn}_v6`, routes: [{ family: "IPv6", ...routes }] }],
    findings: [],
  };
}

function toPeering(asn: string, node: string): Insertable<Schema["peerings"]> {
  const number = Number(asn) - firstAsn;
  const { localIpv4, localIpv6, listenPort, ...request } = peeringOf(1, {
    asn,
    addressFamily: "IPv6",
    extendedNextHop: false,
    publicKey: `key of ${asn}`,
    listenPort: 20_000 + number,
    peerIpv6: `fe80::${number.toString(16)}`,
  });
  return {
    asn,
    node,
    generation: 1,
    revision: 1,
    present: 1,
    request: JSON.stringify({ ...request, customLocalIpv6: null }),
    peering: JSON.stringify({ ...request, localIpv4, localIpv6, listenPort }),
    listen_port: listenPort,
    peer_ipv4: null,
    peer_ipv6: request.peerIpv6,
    public_key: request.publicKey,
  };
}

const lastHalfHour = now - (now % halfHourMs) - halfHourMs;

/** Half hours with values that differ from each other. */
const pastHalfHours = {
  newest: lastHalfHour,
  traffic: "",
  half_hours: JSON.stringify(
    Array.from({ length: shownHalfHours }, (_, index): HalfHour => {
      const noise = index % 7;
      const start = lastHalfHour - (shownHalfHours - 1 - index) * halfHourMs;
      return [start, 30 - noise, noise, 12 + noise, 3 + noise, noise, 90_000_000 + noise];
    }),
  ),
};

function quartersOf(node: string): Array<Insertable<Schema["node_quarters"]>> {
  return Array.from({ length: 97 }, (_, index) => {
    const quarter = now - (now % quarterMs) - index * quarterMs;
    const counts = { ok: 15, issues: 0, down: 0, cpu_sum: 150, cpu_count: 15 };
    return { node, quarter, ...counts, last_at: quarter + quarterMs - 1, last_state: "OK" };
  });
}

function daysOf(node: string): Array<Insertable<Schema["node_days"]>> {
  return Array.from({ length: 91 }, (_, index) => ({
    node,
    day: now - (now % dayMs) - index * dayMs,
    ok: 1438,
    issues: 1,
    down: 1,
  }));
}
