/** The agent on a machine, as its server and its owner see it. */
import { join } from "node:path";
import { expect } from "vitest";
import type { ApplyOutcome, NodeHealth, Peering } from "../../src/contract/agent.ts";
import type { AgentCallsRequest } from "../lab/agent-calls.ts";
import { repository } from "../support/repository.ts";
import type { Machine } from "./machine.ts";

const port = 4243;

/** The folder of the server's identity, on this computer, and its fingerprint. */
export interface Server {
  readonly identity: string;
  readonly fingerprint: string;
}

/** Sets the machine up as a node, and returns what setup printed. */
export async function setUpAgent({ run }: Machine, server: Server): Promise<string> {
  await run("touch /srv/roa4.conf /srv/roa6.conf");
  await run("echo 'route 172.20.1.0/26 max 29 as 4242420001;' > /srv/roa4.conf");
  await run("echo 'route fd42:4242:1::/48 max 64 as 4242420001;' > /srv/roa6.conf");
  return run(
    `peerdeck-agent setup --node syd01 --asn 4242422227 --listen 127.0.0.1:${port} --ipv4 172.20.16.1 ` +
      "--ipv6 fd42:d42::1 --prefix 172.20.16.0/27 --prefix fd42:d42::/48 --roa4 /srv/roa4.conf " +
      `--roa6 /srv/roa6.conf --server ${server.fingerprint}`,
  );
}

/** Makes one call to the agent, as its server. Rejects with the agent's message if it responds with an error. */
async function callAgent<T>(
  machine: Machine,
  { identity }: Server,
  ...call: AgentCallsRequest["calls"][number]
): Promise<T> {
  const fingerprint = /fingerprint = "(.*)"/.exec(await machine.run("peerdeck-agent setup"))?.[1] ?? "";
  const url = `https://127.0.0.1:${port}`;
  const request: AgentCallsRequest = { identity, fingerprint, url, calls: [call] };
  const program = join(repository, "tests/lab/agent-calls.ts");
  const output = await machine.runInNetwork(process.execPath, program, JSON.stringify(request));
  return (JSON.parse(output) as readonly [T])[0];
}

/** Sends a participant's change. Returns its outcome, or the agent's message if it responds with an error. */
export function deploy(
  machine: Machine,
  server: Server,
  asn: string,
  generation: number,
  desired: Peering | null,
): Promise<string> {
  const body = { asn, generation, desired, database: "the database" };
  return callAgent<ApplyOutcome>(machine, server, "apply", body).then(
    ({ outcome, reason }) => `${outcome} ${reason}`.trim(),
    (error: { readonly stderr: string }) => /CallError: (.*)/.exec(error.stderr)?.[1] ?? error.stderr,
  );
}

export const readHealth = (machine: Machine, server: Server) =>
  callAgent<NodeHealth>(machine, server, "health", undefined);

export interface Participants {
  /** The processes of the tunnels. */
  readonly tunnels: readonly string[];
  /** Since when BIRD's sessions have their state, in milliseconds since midnight, by name. */
  readonly sessions: ReadonlyMap<string, number>;
}

/** Reads what participants of the node would notice. */
export async function readParticipants({ run }: Machine): Promise<Participants> {
  const processes = await run("pgrep --list-full wireguard-go");
  const protocols = await run("birdc show protocols");
  const times = protocols.matchAll(/^(dn42_\S+) .* (\d\d):(\d\d):([\d.]+) /gm);
  return {
    tunnels: processes.match(/^.* dn42_.*$/gm) ?? [],
    sessions: new Map(
      Array.from(times, ([, name = "", hours, minutes, seconds]) => [
        name,
        ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
      ]),
    ),
  };
}

/** Runs a step, and expects that participants do not notice it. */
export async function expectUndisturbed(machine: Machine, step: () => Promise<unknown>): Promise<void> {
  const before = await readParticipants(machine);
  await step();
  const after = await readParticipants(machine);
  expect(after.tunnels).toEqual(before.tunnels);
  expect([...after.sessions.keys()]).toEqual([...before.sessions.keys()]);
  // BIRD computes the time when it prints it, so it varies by a millisecond.
  for (const [name, since] of after.sessions)
    expect(Math.abs(since - (before.sessions.get(name) ?? 0))).toBeLessThan(10);
}

/** The names of the tunnels that the agent's wg shows. */
export async function listAgentTunnels({ run }: Machine): Promise<string> {
  const pid = (await run("systemctl show --property MainPID --value peerdeck-agent")).trim();
  return run(`nsenter --target ${pid} --mount wg show interfaces`);
}
