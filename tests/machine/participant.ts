/** A participant's router beside the machine's own network, with a tunnel and a BGP session that are established. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode, tunnel } from "../lab/lab-participant.ts";
import type { Machine } from "./machine.ts";

/** Public addresses, because the rules refuse endpoints in documentation ranges. */
const addresses = { node: "9.9.9.254", participant: "9.9.9.1" };
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
  const folder = join(machine.root, "srv/participant");
  await mkdir(folder, { recursive: true });
  const run = (program: string, ...args: readonly string[]) =>
    machine.run(
      `exec nsenter --target "$(${findRouter})" --net --mount ${[program, ...args].map(quote).join(" ")}`,
    );
  const host = { folder, run };

  async function startRouter(): Promise<void> {
    // The folder has the same path in the machine.
    await machine.run(`mkdir -p ${dirname(machine.root)} && ln -sfn / ${machine.root}`);
    await machine.run(
      "systemd-run --quiet --unit participant --property PrivateNetwork=yes " +
        "--property TemporaryFileSystem=/run/wireguard sleep infinity",
    );
    await machine.run(`ip link add uplink type veth peer name uplink netns "$(${findRouter})"`);
    await machine.run(`ip address add ${addresses.node}/24 dev uplink; ip link set uplink up`);
    await run("ip", "address", "add", `${addresses.participant}/24`, "dev", "uplink");
    await run("ip", "link", "set", "uplink", "up");
  }

  await startRouter();
  const keys = await makeKeys(host);
  let peering = peeringOf(1, { endpointHost: addresses.participant, publicKey: keys.publicKey });
  return {
    peering,
    changePort: async (endpointPort) => {
      await run("wg", "set", tunnel, "listen-port", String(endpointPort));
      peering = { ...peering, endpointPort };
      return peering;
    },
    join: async (nodeKey) => {
      const isRunning = (await machine.run("systemctl is-active participant || true")) === "active\n";
      if (!isRunning) await startRouter();
      await joinNode(host, { keys, peering, nodeKey, nodeAddress: addresses.node, routes });
    },
    waitUntilEstablished: async () => {
      await expect
        .poll(() => machine.run(`birdc show protocols dn42_${peering.asn}`), { timeout: 60_000 })
        .toContain("Established");
    },
  };
}

const findRouter = "systemctl show --property MainPID --value participant";

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
