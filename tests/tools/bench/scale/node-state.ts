/** The calls of an agent whose node runs what it was given: every change succeeds at once, every session is Established. */
import type { Handlers } from "#agent/http/handlers.ts";
import type { ObservedPeering, Peering } from "#contract/agent.ts";
import { HttpError } from "#contract/http-error.ts";
import { keyOf } from "./layout.ts";

interface Applied {
  readonly generation: number;
  readonly database: string;
  /** Null for a peering that was deleted. */
  readonly peering: Peering | null;
}

/**
 * Creates the calls of a node that runs these peerings in generation 1.
 *
 * @param database the identity of the database that has deployed them
 */
export function createNodeCalls(node: string, database: string, peerings: readonly Peering[]): Handlers {
  const startedAt = Date.now();
  const applied = new Map<string, Applied>(
    peerings.map((peering) => [peering.asn, { generation: 1, database, peering }]),
  );
  const others = new Map<string, string>();
  let providerVersion: string | null = null;
  const age = () => (Date.now() - startedAt) / 1000;
  const present = () => [...applied.values()].flatMap(({ peering }) => peering ?? []);
  return {
    facts: async () => ({
      node,
      publicKey: keyOf(node),
      keys: [keyOf(node)],
      simulation: true,
      version: "1.0.0",
    }),
    addNodeKey: async ({ id }) => ({ publicKey: keyOf(id) }),
    removeNodeKey: async () => ({}),
    apply: async ({ asn, generation, desired, database: owner }) => {
      applied.set(asn, { generation, database: owner, peering: desired });
      return { outcome: "applied", steps: [], reason: null };
    },
    progress: async () => ({ steps: [] }),
    generations: async () =>
      Array.from(applied, ([asn, { peering, ...version }]) => ({
        asn,
        ...version,
        present: peering !== null,
      })),
    peerings: async () => Array.from(applied, ([asn, version]) => ({ asn, ...version })),
    pair: async () => ({ changed: [] }),
    exposure: async () => ({
      own: { addresses: [`172.20.222.${Number(node.slice(-2))}`], services: [] },
      known: Array.from(others, ([other, version]) => ({ node: other, version })),
      strictSource: false,
      providerVersion,
    }),
    setOtherNodes: async ({ changed, provider }) => {
      providerVersion = provider.version;
      for (const { node: other, version } of changed) others.set(other, version);
      return {};
    },
    events: async () => ({ now: Date.now(), events: [] }),
    health: async () => ({
      status: "OK",
      uptimeSeconds: 86_400,
      load: [0.1, 0.1, 0.1],
      findings: [],
      version: "1.0.0",
    }),
    usage: async () => ({ cpuPercent: 10, memoryPercent: 40, routes: { ipv4: 812, ipv6: 640 } }),
    observe: async () => present().map((peering) => observe(peering, age())),
    observePeering: async ({ asn }) => {
      const peering = applied.get(asn)?.peering;
      return { peering: peering ? observe(peering, age()) : null };
    },
    links: async () => [],
    inUse: async () => ({ ports: [], addresses: [] }),
    roundTrip: async () => ({ latencyMs: 12.4 }),
    details: unmeasured,
    checkBgp: unmeasured,
    restartBgp: unmeasured,
    receivedRoutes: unmeasured,
    refusedRoutes: unmeasured,
    advertisedRoutes: unmeasured,
    ping: unmeasured,
  };
}

async function unmeasured(): Promise<never> {
  throw new HttpError(404, { message: "The benchmark does not make this call.", field: "asn" });
}

/** Traffic and round trips differ between peerings and from one observation to the next. */
function observe({ asn, endpointHost, endpointPort }: Peering, seconds: number): ObservedPeering {
  const noise = Number(asn) % 97;
  const routes = { received: 3, accepted: 3, refused: 0, exported: 640 };
  return {
    asn,
    tunnel: {
      state: "Up",
      rxBytes: Math.round(123_456_789 + noise * 1000 * seconds),
      txBytes: Math.round(9_876_543 + noise * 500 * seconds),
      handshakeAgeSeconds: Math.round(seconds + noise) % 120,
      latencyMs: 12 + noise / 10,
      lossPercent: 0,
      endpoint: `${endpointHost}:${endpointPort}`,
    },
    bgpStatus: "OK",
    sessions: [
      {
        name: `dn42_${asn}`,
        families: ["IPv4", "IPv6"],
        state: "Established",
        detail: "",
        stateAgeSeconds: 7_200 + Math.round(seconds),
        routes: [
          { family: "IPv4", ...routes },
          { family: "IPv6", ...routes },
        ],
      },
    ],
    findings: [],
  };
}
