/** The values that other ASes use on a node are found through indexes, as from a list of all peerings. */
import { CompiledQuery, type RootOperationNode } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import { completePeering } from "#domain/peering/complete-peering.ts";
import type { Db } from "#server/db/open.ts";
import { addTask } from "#server/features/peerings/deployment/task-store.ts";
import { findDesired, putDesired } from "#server/features/peerings/desired-peerings.ts";
import { listPeerings } from "#server/features/peerings/list-peerings.ts";
import { findTakenByOthers } from "#server/features/peerings/taken-on-node.ts";
import { describeWithDatabase, openAsServer } from "../../support/databases.ts";
import { noRequestOptions } from "../../support/fixtures/no-options.ts";

const node = {
  name: "de01",
  linkLocal: "fe80::2227",
  tunnelIpv4: "172.20.222.1",
  endpoints: [],
  publicKey: null,
};
const one = "4242420001";

/** A plan that looks up the value itself in an index, not only its node. */
const keyLookup =
  /(?:Index Cond:|USING (?:COVERING )?INDEX) [^"]*(?:public_key|listen_port|peer_ipv[46])\W*=/;

function requestOf(changes: Partial<PeeringRequest>): PeeringRequest {
  return {
    asn: "4242429999",
    addressFamily: "Both",
    extendedNextHop: false,
    endpointHost: "198.51.100.7",
    endpointPort: 51_820,
    publicKey: "key of 9999",
    peerIpv4: "172.20.9.9",
    peerIpv6: null,
    customLocalIpv6: null,
    ...noRequestOptions,
    ...changes,
  };
}

/** Nothing else runs on the node's machine. */
const inUse = { ports: [], addresses: [] };

/** Completes a request as a submit does. */
async function complete(db: Db, request: PeeringRequest, on = node) {
  const completed = completePeering(request, on, await findTakenByOthers(db, on.name, request, inUse), null);
  return completed.ok ? completed.peering : (completed.errors[0]?.field ?? "");
}

async function add(db: Db, request: PeeringRequest, on = node) {
  const peering = await complete(db, request, on);
  if (typeof peering === "string") throw new Error(`${peering} is taken`);
  const { asn } = request;
  await putDesired(db, { asn, node: on.name, generation: 1, revision: 1, present: true, request, peering });
  return peering;
}

/** Five hundred peerings on each of two nodes, and fresh statistics for the planner. */
async function fill(db: Db): Promise<void> {
  const row = { generation: 1, revision: 1, present: 1, request: "{}", peering: "{}" };
  for (const name of ["de01", "ny01"]) {
    const values = Array.from({ length: 500 }, (_, index) => ({
      asn: String(4_200_000_000 + index),
      node: name,
      ...row,
      listen_port: 30_000 + index,
      peer_ipv4: `172.20.${index >> 8}.${index & 255}`,
      peer_ipv6: `fd42:7::${index.toString(16)}`,
      public_key: `key ${name} ${index}`,
    }));
    await db.insertInto("peerings").values(values).execute();
  }
  await db.executeQuery(CompiledQuery.raw("ANALYZE"));
}

describeWithDatabase("the values that other ASes use", { postgres: "share" }, (openTestDatabase) => {
  async function open() {
    const at = await openTestDatabase();
    const database = await openAsServer(at);
    onTestFinished(() => database[Symbol.asyncDispose]());
    return { db: database.db, kind: at.kind };
  }

  test("are conflicts: keys on every node, tunnel addresses on the same one", async () => {
    const { db } = await open();
    const other = { ...node, name: "ny01" };
    const used = { publicKey: "key", peerIpv4: "172.20.1.1", peerIpv6: "fd42:1::1" };
    await add(db, requestOf({ asn: one, ...used }));
    const fields = async (changes: Partial<PeeringRequest>) => {
      const results = [];
      for (const on of [node, other]) results.push(await complete(db, requestOf(changes), on));
      return results.map((result) => (typeof result === "string" ? result : "free"));
    };
    expect(await fields({ publicKey: "key" })).toEqual(["public_key", "public_key"]);
    expect(await fields({ peerIpv4: "172.20.1.1" })).toEqual(["peer_ipv4", "free"]);
    expect(await fields({ peerIpv6: used.peerIpv6 })).toEqual(["peer_ipv6", "free"]);
    expect(await fields({})).toEqual(["free", "free"]);
    // The values of the AS itself are free.
    expect(await fields({ asn: one, ...used })).toEqual(["free", "free"]);
  });

  test("are no link-local addresses: peerings of a node may have the same one, entered, chosen or restored", async () => {
    const { db } = await open();
    const same = { peerIpv6: "fe80::1234" };
    const asns = ["4242421234", "4242431234", "4242441234", "4242451234"];
    const requests = asns.map((asn, index) =>
      requestOf({ asn, publicKey: asn, peerIpv4: `172.20.7.${index}`, ...(index % 2 === 0 ? same : {}) }),
    );
    const rows = [];
    for (const request of requests) rows.push(await add(db, request));
    expect(rows.map(({ peerIpv6 }) => peerIpv6)).toEqual(asns.map(() => same.peerIpv6));
    const listed = await listPeerings(db, { as: [], node: [], state: [], session: [], account: [] }, 0);
    expect(listed.map(({ peer_ipv6 }) => peer_ipv6)).toEqual(asns.map(() => same.peerIpv6));
    // As an earlier version stored it.
    const [first] = asns;
    await db
      .updateTable("peerings")
      .set({ peer_ipv6: same.peerIpv6 })
      .where("asn", "=", first ?? "")
      .execute();
    expect(await complete(db, requestOf(same))).toMatchObject(same);
  });

  test("are avoided: the next free port is chosen", async () => {
    const { db } = await open();
    const asns = Array.from({ length: 12 }, (_, index) => String(4_200_001_234 + index * 10_000));
    const peerings = [];
    for (const [index, asn] of asns.entries())
      peerings.push(await add(db, requestOf({ asn, publicKey: asn, peerIpv4: `172.20.7.${index}` })));
    expect(peerings.map(({ listenPort }) => listenPort)).toEqual(asns.map((_, index) => 21_234 + index));
  });

  test("include what an unfinished deployment would restore", async () => {
    const { db } = await open();
    await add(db, requestOf({ asn: one, publicKey: "old", peerIpv4: "172.20.1.1", peerIpv6: "fd42:1::1" }));
    const before = await findDesired(db, one, node.name);
    if (!before) throw new Error("no peering");
    const peering = { ...before.peering, publicKey: "new", peerIpv4: "172.20.1.2", peerIpv6: "fd42:1::2" };
    await putDesired(db, { ...before, generation: 2, peering: { ...peering, listenPort: 20_005 } });
    const previous = JSON.stringify(before);
    const task = { asn: one, node: node.name, generation: 2, request: before.request, previous, waitMs: 1 };
    await addTask(db, task, { now: 0, retentionTime: 0 });

    for (const [changes, field] of [
      [{ publicKey: "old" }, "public_key"],
      [{ publicKey: "new" }, "public_key"],
      [{ peerIpv4: "172.20.1.1" }, "peer_ipv4"],
      [{ peerIpv4: "172.20.1.2" }, "peer_ipv4"],
      [{ peerIpv6: "fd42:1::1" }, "peer_ipv6"],
      [{ peerIpv6: "fd42:1::2" }, "peer_ipv6"],
    ] as const)
      expect(await complete(db, requestOf(changes))).toBe(field);
    // The convention gives 20001, which the deployment would restore.
    expect(await complete(db, requestOf({ asn: "4200000001" }))).toMatchObject({ listenPort: 20_002 });
  });

  test("are looked up in indexes", async () => {
    const { db, kind } = await open();
    await fill(db);
    const nodes: RootOperationNode[] = [];
    const recording = db.withPlugin({
      transformQuery: ({ node: query }) => {
        nodes.push(query);
        return query;
      },
      transformResult: async ({ result }) => result,
    });
    await complete(recording, requestOf({ peerIpv6: "fd42:9::9" }));
    const queries = nodes.map((query) => db.getExecutor().compileQuery(query, { queryId: "" }));
    const ofPeerings = queries.filter(({ sql }) => sql.includes('from "peerings"'));
    expect(ofPeerings).toHaveLength(4);
    await db.transaction().execute(async (tx) => {
      if (kind === "postgres") await tx.executeQuery(CompiledQuery.raw("SET LOCAL enable_seqscan = off"));
      const explain = kind === "postgres" ? "EXPLAIN" : "EXPLAIN QUERY PLAN";
      for (const { sql, parameters } of ofPeerings) {
        const { rows } = await tx.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]));
        const plan = JSON.stringify(rows);
        expect(plan).toMatch(keyLookup);
        expect(plan).not.toMatch(/Seq Scan|SCAN peerings/);
      }
    });
  });
});
