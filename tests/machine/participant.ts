/** A participant's router with a tunnel and a BGP session that are established. */
import { expect } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { tunnel } from "../lab/lab-participant.ts";
import type { Machine } from "./machine.ts";
import { createRemoteRouter } from "./remote-router.ts";

/** Public addresses, because the rules refuse endpoints in documentation ranges. */
const addresses = { node: "9.9.9.254", router: "9.9.9.1" };
const routes = ["172.20.1.0/26", "fd42:4242:1::/48"];

export interface Participant {
  readonly peering: Peering;
  /** Makes the router's WireGuard listen on another port, and returns the changed peering. */
  readonly changePort: (port: number) => Promise<Peering>;
  /** Brings up the router, also after a boot of the machine. */
  readonly join: (nodeKey: string) => Promise<void>;
  /** Resolves when the node's session with this participant is established. */
  readonly waitUntilEstablished: () => Promise<void>;
}

export async function createParticipant(machine: Machine): Promise<Participant> {
  const router = await createRemoteRouter(machine, { name: "participant", addresses });
  let peering = peeringOf(1, { endpointHost: addresses.router, publicKey: router.keys.publicKey });
  return {
    peering,
    changePort: async (endpointPort) => {
      await router.run("wg", "set", tunnel, "listen-port", String(endpointPort));
      peering = { ...peering, endpointPort };
      return peering;
    },
    join: (nodeKey) => router.join({ peering, nodeKey, routes }),
    waitUntilEstablished: async () => {
      await expect
        .poll(() => machine.run(`birdc show protocols dn42_${peering.asn}`), { timeout: 60_000 })
        .toContain("Established");
    },
  };
}
