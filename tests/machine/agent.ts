/** The agent on a machine, as its server and its owner see it. */
import { join } from "node:path";
import { expect } from "vitest";
import type { ApplyOutcome, NodeHealth, Peering } from "../../src/contract/agent.ts";
import type { PingResult } from "../../src/contract/diagnostics.ts";
import { sender } from "../../src/agent/fixtures/peerings.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import type { AgentCallsRequest } from "../lab/agent-calls.ts";
import { isSameMoment, readProtocols } from "../lab/router-state.ts";
import { repository } from "../support/repository.ts";
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

/**
 * Makes one call to the agent, as its server, when it listens. Rejects with the agent's message if it responds with an
 * error.
 */
async function callAgent<T>(
  machine: Machine,
  { identity }: Server,
  ...call: AgentCallsRequest["calls"][number]
): Promise<T> {
  await machine.run(
    `until ss --no-header --listening --tcp --numeric | grep --quiet ' ${agentAddress} '; do sleep 0.1; done`,
  );
  const { fingerprint } = await openIdentity(join(machine.root, "var/lib/peerdeck-agent"), "agent");
  const url = `https://${agentAddress}`;
  const request: AgentCallsRequest = { identity, fingerprint, url, calls: [call] };
  const program = join(repository, "tests/lab/agent-calls.ts");
  const output = await machine.runInNetwork(process.execPath, program, JSON.stringify(request));
  return (JSON.parse(output) as readonly [T])[0];
}

/** Sends a participant's change. Returns its outcome, with the code of a refusal, or the agent's message if it responds with an error. */
export function deploy(
  machine: Machine,
  server: Server,
  asn: string,
  generation: number,
  desired: Peering | null,
): Promise<string> {
  const body = { ...sender, asn, generation, desired };
  return callAgent<ApplyOutcome>(machine, server, "apply", body).then(
    ({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason.code}`),
    (error: { readonly stderr: string }) => /CallError: (.*)/.exec(error.stderr)?.[1] ?? error.stderr,
  );
}

export const readHealth = (machine: Machine, server: Server) =>
  callAgent<NodeHealth>(machine, server, "health", undefined);

export const pingParticipant = (machine: Machine, server: Server, asn: string) =>
  callAgent<PingResult>(machine, server, "ping", { asn, family: "ipv6" });

export const readNodeKey = async (machine: Machine, server: Server) =>
  (await callAgent<{ readonly publicKey: string }>(machine, server, "facts", undefined)).publicKey;

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
