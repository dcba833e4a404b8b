/** The agent on a machine, as its server and its owner see it. */
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { agentCalls, type Peering } from "../../src/contract/agent.ts";
import { withProtocol } from "../../src/contract/agent/agent-protocol.ts";
import { CallError, type Caller, createCaller } from "../../src/contract/client.ts";
import { sender } from "../../src/agent/fixtures/peerings.ts";
import { relay } from "../../src/lab/hosts/relay.ts";
import { createPinnedTransport } from "../../src/mtls/pinned-transport.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { isSameMoment, readProtocols } from "../lab/router-state.ts";
import type { Machine } from "./machine.ts";

/** Where the agent listens. */
export const agentAddress = "127.0.0.1:4243";

/** The folder of the server's identity, on this computer, and its fingerprint. */
export interface Server {
  readonly identity: string;
  readonly fingerprint: string;
}

/** Writes the ROAs, which the provider generates from the registry. */
export async function writeRoas({ run }: Machine): Promise<void> {
  await run("echo 'route 172.20.1.0/26 max 29 as 4242420001;' > /srv/roa4.conf");
  await run("echo 'route fd42:4242:1::/48 max 64 as 4242420001;' > /srv/roa6.conf");
}

const socket = "/srv/agent.socket";

/**
 * Calls the agent, as its server, when it listens. The machine's systemd relays the connections: its files are the only way
 * into its network.
 */
async function callAgent<T>(
  machine: Machine,
  server: Server,
  useCaller: (call: Caller) => Promise<T>,
): Promise<T> {
  await machine.run(
    `until ss --no-header --listening --tcp --numeric | grep --quiet ' ${agentAddress} '; do sleep 0.1; done
    systemctl is-active --quiet relay.socket || systemd-run --quiet --unit relay \
      --socket-property=ListenStream=${socket} /lib/systemd/systemd-socket-proxyd ${agentAddress}`,
  );
  const outside = await relay("127.0.0.1:0", join(machine.root, socket));
  const { port } = outside.address() as AddressInfo;
  try {
    await using transport = createPinnedTransport({
      url: `https://127.0.0.1:${port}`,
      identity: await openIdentity(server.identity, "server"),
      fingerprint: (await openIdentity(join(machine.root, "var/lib/peerdeck-agent"), "agent")).fingerprint,
      timeoutMs: 60_000,
    });
    return await useCaller(createCaller(withProtocol(transport)));
  } finally {
    outside.close();
  }
}

/** Sends a participant's change. Returns its outcome, with the code of a refusal, or the agent's message if it responds with an error. */
export function deploy(
  machine: Machine,
  server: Server,
  asn: string,
  generation: number,
  desired: Peering | null,
): Promise<string> {
  return callAgent(machine, server, async (call) => {
    try {
      const { outcome, reason } = await call(agentCalls.apply, { ...sender, asn, generation, desired });
      return reason === null ? outcome : `${outcome}: ${reason.code}`;
    } catch (error) {
      if (error instanceof CallError) return error.message;
      throw error;
    }
  });
}

/** Tells from where the server connects, so that the agent's port is no longer open to every address. */
export const tellServers = (machine: Machine, server: Server) =>
  callAgent(machine, server, (call) =>
    call(agentCalls.setOtherNodes, {
      nodes: [],
      changed: [],
      strictSource: false,
      provider: { version: "1", endpoints: [], servers: ["192.0.2.10"] },
    }),
  );

export const readHealth = (machine: Machine, server: Server) =>
  callAgent(machine, server, (call) => call(agentCalls.health, undefined));

export const pingParticipant = (machine: Machine, server: Server, asn: string) =>
  callAgent(machine, server, (call) => call(agentCalls.ping, { asn, family: "ipv6" }));

export const readNodeKey = (machine: Machine, server: Server) =>
  callAgent(machine, server, async (call) => (await call(agentCalls.facts, undefined)).publicKey);

export interface Participants {
  /** The interfaces of the tunnels, with the kernel's numbers. */
  readonly tunnels: readonly string[];
  /** The names of BIRD's sessions. */
  readonly sessions: readonly string[];
}

/** Reads what the node runs for participants. */
export async function readParticipants(machine: Machine): Promise<Participants> {
  const interfaces = await machine.run("ip -oneline link show");
  const protocols = await readBird(machine);
  return {
    tunnels: interfaces.match(/^\d+: dn42_\d+/gm) ?? [],
    sessions: [...protocols.keys()].filter((name) => name.startsWith("dn42_")),
  };
}

const readBird = async ({ run }: Machine) => readProtocols(await run("birdc show protocols"));

/** Runs a step, and expects that the tunnels and sessions from before it do not notice it. */
export async function expectUndisturbed(machine: Machine, step: () => Promise<unknown>): Promise<void> {
  const [before, protocols] = [await readParticipants(machine), await readBird(machine)];
  await step();
  const [after, protocolsAfter] = [await readParticipants(machine), await readBird(machine)];
  expect(after.tunnels).toEqual(expect.arrayContaining([...before.tunnels]));
  for (const [name, { since }] of protocols) {
    const isSame = isSameMoment(protocolsAfter.get(name)?.since ?? Infinity, since);
    expect({ name, isSame }).toEqual({ name, isSame: true });
  }
}
