/** A simulated node with peerings whose WireGuard key changes, and the jobs of a server, with a clock that the test controls. */
import { expect, onTestFinished } from "vitest";
import { systemClock } from "#agent/clock.ts";
import { peeringOf } from "#agent/fixtures/peerings.ts";
import type { AgentCalls } from "#contract/agent.ts";
import type { CallResponse } from "#contract/call.ts";
import type { Transport } from "#contract/client.ts";
import type { Task } from "#contract/entities.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { takeGeneration } from "#server/db/generation.ts";
import { writeNodeKeyNotice } from "#server/features/accounts/notices/notice-store.ts";
import { createDeployer } from "#server/features/peerings/deployment/deployer.ts";
import { findDesired, putDesired, type DesiredPeering } from "#server/features/peerings/desired-peerings.ts";
import { confirmNodeKeys, findNewNodeKeys } from "#server/features/peerings/node-keys/confirm-node-keys.ts";
import { followNodeKey } from "#server/features/peerings/node-keys/follow-node-key.ts";
import { createRekeys, type RekeyDeps } from "#server/features/peerings/node-keys/follow-rekeys.ts";
import { observeSwitches } from "#server/features/peerings/node-keys/observe-switches.ts";
import { cancelRekey, findRekey, startRekey } from "#server/features/peerings/node-keys/rekey-rows.ts";
import { switchNodeKey } from "#server/features/peerings/node-keys/switch-node-key.ts";
import { createLog } from "#server/log.ts";
import { addNodes } from "#server/nodes/node-rows.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { testSealer } from "../../support/test-sealer.ts";
import { openSubscribers } from "../push/subscribers.ts";
import { minuteMs, observed } from "./observed-peerings.ts";
import { openSimulatedNode } from "./simulated-node.ts";

export const node = "de01";
export const [one, two, three] = ["4242420001", "4242420002", "4242420003"] as const;
export const dayMs = 24 * 60 * minuteMs;

const providerNode: ProviderNode = {
  name: node,
  place: "Frankfurt",
  lat: 50,
  lon: 8,
  publicIp: "192.0.2.1",
  endpoints: ["192.0.2.1"],
  tunnelIpv4: null,
  linkLocal: "fe80::2227",
  maxPeerings: null,
  agent: null,
  state: "open",
};

type Facts = CallResponse<AgentCalls["facts"]>;
/** Called before each request to the agent; rejecting makes the request fail. */
type Guard = (path: string, body: unknown) => Promise<void>;

const noFault: Guard = async () => undefined;

export async function openRekeyScene(at: TestDatabase) {
  const { database, db, time, clock, subscribe } = await openSubscribers(at);
  const { events, locks } = database;
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const simulated = parts.use(await openSimulatedNode(node, { clock: systemClock, timeScale: 0 }));
  /** The AS numbers of the peerings that the agent was asked to run, in their order. */
  const applied: string[] = [];
  let guard = noFault;
  const transport: Transport = async (request) => {
    const body = request.body === null ? null : (JSON.parse(request.body) as { asn?: string });
    await guard(request.path, body);
    if (request.path === "/v1/apply") applied.push(body?.asn ?? "");
    return simulated.transport(request);
  };
  const agents = createAgentClient(new Map([[node, transport]]));
  const log = createLog("silent");
  const notified: string[] = [];
  const profile = { domain: "example.net" };
  const deps = {
    db,
    events,
    locks,
    agents,
    log,
    profile,
    clock,
    retentionClock: clock,
    waitMs: 300,
    sealer: testSealer,
    writeNotice: writeNodeKeyNotice,
    onNotified: async (asns: readonly string[]) => void notified.push(...asns),
  };
  const deployer = parts.use(createDeployer({ ...deps, onFinished: () => undefined }));
  deployer.start();
  await addNodes(db, [providerNode], clock());
  await followNodeKey(deps, node);

  /** Adds a peering that the node runs. */
  async function addPeering(asn: string): Promise<void> {
    await subscribe(asn, false);
    const { presharedKey: _none, ...peering } = peeringOf(Number(asn.at(-1)));
    const generation = await db.transaction().execute((tx) => takeGeneration(tx, node));
    const request = { asn, presharedKey: null } as unknown as DesiredPeering["request"];
    const desired = { asn, node, generation, revision: generation, present: true, request, peering };
    await putDesired(db, desired);
    const identity = await readDatabaseIdentity(db);
    await agents.ask(node, "apply", {
      asn,
      generation,
      desired: peering,
      database: identity,
      knownGenerations: [],
    });
    applied.length = 0;
  }

  const noLimit = { findExcess: async () => null, add: async () => undefined };
  const switchDeps = {
    ...deps,
    rateLimits: { changePerPeering: noLimit, changePerAs: noLimit, changePerAsAndDay: noLimit },
    assertMayDeploy: async () => undefined,
  };
  let rekeys = createRekeys(deps);
  parts.defer(() => rekeys[Symbol.asyncDispose]());

  async function keyOf(asn: string): Promise<string | undefined> {
    return (await findDesired(db, asn, node))?.peering.nodeKey;
  }
  /** The key of the tunnel that the node runs. */
  async function runningKeys(): Promise<Readonly<Record<string, string | undefined>>> {
    const peerings = await agents.ask(node, "peerings", undefined);
    return Object.fromEntries(peerings.map(({ asn, peering }) => [asn, peering?.nodeKey]));
  }
  const facts = (): Promise<Facts> => agents.ask(node, "facts", undefined);

  return {
    db,
    time,
    deps,
    applied,
    notified,
    agents,
    addPeering,
    keyOf,
    runningKeys,
    facts,
    setGuard: (next: Guard) => {
      guard = next;
    },
    /** Another server takes the job over; by default one without faults. */
    restart: async (faulty: Partial<RekeyDeps> = {}) => {
      await rekeys[Symbol.asyncDispose]();
      rekeys = createRekeys({ ...deps, ...faulty });
    },
    signal: () => rekeys.signal(),
    follow: () => followNodeKey(deps, node),
    /** Lets the job run until the check holds. */
    until: async (check: () => Promise<void> | void): Promise<void> => {
      await expect
        .poll(
          async () => {
            rekeys.signal();
            await check();
            return true;
          },
          { timeout: 10_000, interval: 20 },
        )
        .toBe(true);
    },
    start: (days = 14) => startRekey(db, { node, now: clock(), switchAt: clock() + days * dayMs }),
    cancel: () => cancelRekey(db, { node, now: clock(), writeNotice: writeNodeKeyNotice }),
    rekey: () => findRekey(db, node),
    /** Lets the job announce the new key, and returns it. */
    announce: async (): Promise<string> => {
      await expect
        .poll(
          async () => {
            rekeys.signal();
            return (await findRekey(db, node))?.new_key ?? null;
          },
          { timeout: 10_000, interval: 20 },
        )
        .not.toBeNull();
      return (await findRekey(db, node))?.new_key ?? "";
    },
    switchKey: (asn: string): Promise<Task> => switchNodeKey(switchDeps as never, asn, node, noOrigin),
    switches: () => db.selectFrom("node_key_switches").selectAll().orderBy("asn").execute(),
    /** Observes the node after these minutes, with the last handshakes so many seconds ago; null: none. */
    observe: async (minutes: number, ages: Readonly<Record<string, number | null>>): Promise<void> => {
      time.now += minutes * minuteMs;
      const peerings = Object.entries(ages).map(([asn, handshakeAgeSeconds]) =>
        observed({ asn, isUp: handshakeAgeSeconds !== null, handshakeAgeSeconds }),
      );
      const observation = { at: time.now, nodes: [{ node, peerings }] };
      await confirmNodeKeys(db, observation);
      await observeSwitches(db, observation);
    },
    /** The node's new key by AS, for the ASes whose routers use another one. */
    outdated: async () =>
      Object.fromEntries(
        Array.from(await findNewNodeKeys(db, [one, two, three]), ([asn, keys]) => [asn, keys.get(node)]),
      ),
    /** Removes and returns the notices that wait for mails, with their push messages. */
    takeNotices: async (): Promise<readonly string[]> => {
      const notices = await db.deleteFrom("account_notices").returning(["asn", "kind"]).execute();
      await db.deleteFrom("push_messages").execute();
      return notices.map(({ asn, kind }) => `${kind} ${asn}`).toSorted();
    },
    audited: async (): Promise<readonly string[]> => {
      const rows = await db
        .selectFrom("audit_events")
        .select(["kind", "asn"])
        .where("kind", "!=", "login")
        .orderBy("id")
        .execute();
      return rows.map(({ kind, asn }) => (asn === null ? kind : `${kind} ${asn}`));
    },
  };
}

export type RekeyScene = Awaited<ReturnType<typeof openRekeyScene>>;
