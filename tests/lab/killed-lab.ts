/**
 * What is killed in the middle of changes: nodes, each with a participant whose session stands, one more tunnel
 * that nobody joined, and a third peering that is added, edited and deleted.
 */
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Peering } from "../../src/contract/agent.ts";
import { interfaceName } from "../../src/domain/bgp-sessions.ts";
import { dualStackOf, peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { Internet, LabHost } from "../../src/lab/namespaces.ts";
import { eventually } from "./eventually.ts";
import { type Applied, type HeldStep, type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { joinNode, makeKeys } from "./lab-participant.ts";
import { type RouterState, routerState, type Standing, standing } from "./router-state.ts";

export interface Pair {
  readonly host: LabHost;
  /** Joined and Established. */
  readonly standing: Peering;
  readonly bystander: Peering;
  readonly asn: string;
  readonly before: Peering | null;
  readonly after: Peering | null;
  /** The living agent of the node, whichever life it is. */
  agent: LabAgent;
}

const kinds = ["add", "edit", "delete"] as const;

/** A pair for each kind of change, with AS numbers of its own, so that no two interfaces have one name. */
export async function openPairs(internet: Internet): Promise<Readonly<Record<(typeof kinds)[number], Pair>>> {
  const pairs = await Promise.all(kinds.map((kind, index) => openPair(internet, kind, index * 3)));
  const [add, edit, remove] = pairs as [Pair, Pair, Pair];
  return { add, edit, delete: remove };
}

async function openPair(internet: Internet, kind: (typeof kinds)[number], first: number): Promise<Pair> {
  const nodeAddress = `198.51.100.${250 + first / 3}`;
  const host = await internet.host(kind, `${nodeAddress}/24`);
  const participant = await internet.host(`peer-${kind}`, `198.51.100.${first + 1}/24`);
  await startNodeBird(host, []);
  const keys = await makeKeys(participant);
  const joined = peeringOf(first + 1, { publicKey: keys.publicKey });
  const bystander = peeringOf(first + 3);
  const subject = dualStackOf(first + 2, { localIpv4: "172.20.16.1" });
  const edited = peeringOf(first + 2, {
    listenPort: subject.listenPort + 1000,
    endpointPort: 51_900,
    publicKey: Buffer.alloc(32, 90 + first).toString("base64"),
    peerIpv6: "fe80::77",
  });
  const agent = await startAgent(host);
  await agent.apply(bystander.asn, bystander);
  await agent.apply(joined.asn, joined);
  const { publicKey } = await agent.facts();
  await joinNode(participant, { keys, peering: joined, nodeKey: publicKey, nodeAddress, routes: [] });
  const changes = { add: [null, subject], edit: [subject, edited], delete: [subject, null] } as const;
  const [before, after] = changes[kind];
  const pair = { host, standing: joined, bystander, asn: subject.asn, before, after, agent };
  await untilEstablished(pair);
  return pair;
}

export function untilEstablished(pair: Pair): Promise<Standing> {
  return eventually(
    () => standing(pair.host, interfaceName(pair.standing.asn)),
    ({ since, handshake }) => since !== null && handshake > 0,
  );
}

/** Starts the agent again, which forgets for how long it has tried to mend what was broken in an earlier test. */
export async function anotherLife(pair: Pair): Promise<void> {
  await pair.agent[Symbol.asyncDispose]();
  pair.agent = await startAgent(pair.host);
}

/**
 * Comes to what is before the change by one and the same way, in which a tunnel is made, so that the change has one
 * and the same steps: an agent's first tunnel has one more where the kernel has no WireGuard.
 */
export async function goBefore({ agent, asn, before, after }: Pair): Promise<void> {
  for (const desired of [null, before ?? after, before]) {
    const { outcome, reason } = await agent.apply(asn, desired);
    if (outcome !== "applied") throw new Error(`the change back was ${outcome}: ${reason}`);
  }
}

export interface Recorded {
  readonly old: RouterState;
  readonly new: RouterState;
  readonly steps: readonly string[];
}

/** Does the change once, undisturbed. */
export async function record(pair: Pair): Promise<Recorded> {
  await goBefore(pair);
  const old = await routerState(pair.host);
  const { outcome, steps, reason } = await pair.agent.apply(pair.asn, pair.after);
  if (outcome !== "applied") throw new Error(`the change was ${outcome}: ${reason}`);
  return { old, new: await routerState(pair.host), steps };
}

export interface Cut {
  /** What the agent holds when all is over. */
  readonly outcome: "old" | "new";
  readonly answered: Applied["outcome"];
}

/** Does the change, and something else before one of its steps. */
export async function cutAt(pair: Pair, step: HeldStep): Promise<Cut> {
  const generationOf = async () =>
    (await pair.agent.generations()).find(({ asn }) => asn === pair.asn)?.generation;
  const was = await generationOf();
  const { outcome: answered } = await pair.agent.apply(pair.asn, pair.after, step);
  return { outcome: (await generationOf()) === was ? "old" : "new", answered };
}

/** Ends the program behind a tunnel at once, or its interface where the kernel runs it; false where there is none. */
export async function killTunnel(host: LabHost, asn: string): Promise<boolean> {
  const name = interfaceName(asn);
  const space = (await host.run("readlink", "/proc/self/ns/net")).trim();
  for (const pid of await readdir("/proc")) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command !== `wireguard-go\0${name}\0`) continue;
    if ((await readlink(`/proc/${pid}/ns/net`).catch(() => "")) !== space) continue;
    process.kill(Number(pid), "SIGKILL");
    return true;
  }
  return host.run("ip", "link", "delete", "dev", name).then(
    () => true,
    () => false,
  );
}
