/**
 * Scenarios for crashes during changes: nodes, each with a participant whose session is Established, one more
 * tunnel that no participant joined, and a third peering that is added, edited and deleted.
 */
import type { Peering } from "../../src/contract/agent.ts";
import type { ApplyOrder } from "../../src/agent/drivers/linux/apply-steps.ts";
import type { CodedFacts } from "../../src/contract/agent/findings.ts";
import type { FindingCode } from "../../src/domain/findings/findings.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { dualStackOf, peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { type ApplyResult, type Breakpoint, type LabAgent, startAgent } from "./lab-agent.ts";
import { startNodeBird } from "./lab-node.ts";
import { sequentialOrder } from "./sequential-order.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode } from "./lab-participant.ts";
import { type RouterState, settledState, waitUntilEstablished } from "./router-state.ts";
import { signalWireguard } from "./wireguard-process.ts";

export interface CrashScenario {
  readonly host: LabHost;
  /** The peering that is joined and Established. */
  readonly established: Peering;
  readonly unjoined: Peering;
  readonly asn: string;
  readonly before: Peering | null;
  readonly after: Peering | null;
  /** The order of a change, for the next agent that starts. */
  order: ApplyOrder;
  /** The node's current agent, which is replaced after a crash. */
  agent: LabAgent;
}

const kinds = ["add", "edit", "delete"] as const;

export interface CrashScenarios
  extends Readonly<Record<(typeof kinds)[number], CrashScenario>>, AsyncDisposable {}

/**
 * Opens a scenario for each kind of change, with AS numbers of its own, so that all interface names differ.
 */
export async function openScenarios(): Promise<CrashScenarios> {
  await using stack = new AsyncDisposableStack();
  const internet = stack.use(await openInternet());
  const scenarios = await Promise.all(kinds.map((kind, index) => openScenario(internet, kind, index * 3)));
  const [add, edit, remove] = scenarios as [CrashScenario, CrashScenario, CrashScenario];
  const opened = stack.move();
  return { add, edit, delete: remove, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function openScenario(
  internet: Internet,
  kind: (typeof kinds)[number],
  first: number,
): Promise<CrashScenario> {
  const nodeAddress = `198.51.100.${250 + first / 3}`;
  const host = await internet.host(kind, `${nodeAddress}/24`);
  const participant = await internet.host(`peer-${kind}`, `198.51.100.${first + 1}/24`);
  await startNodeBird(host, []);
  const keys = await makeKeys(participant);
  const joined = peeringOf(first + 1, { publicKey: keys.publicKey });
  const unjoined = peeringOf(first + 3);
  const subject = dualStackOf(first + 2, { localIpv4: "172.20.16.1" });
  const order = sequentialOrder(0);
  const agent = await startAgent(host, {}, { order });
  const { publicKey: nodeKey } = await agent.post<{ readonly publicKey: string }>("/v1/node-keys", {
    id: "added",
  });
  const edited = peeringOf(first + 2, {
    nodeKey,
    listenPort: subject.listenPort + 1000,
    endpointPort: 51_900,
    publicKey: Buffer.alloc(32, 90 + first).toString("base64"),
    peerIpv6: "fe80::77",
    mtu: 1412,
    presharedKey: Buffer.alloc(32, 1).toString("base64"),
  });
  await agent.apply(unjoined.asn, unjoined);
  await agent.apply(joined.asn, joined);
  const { publicKey } = await agent.facts();
  await joinNode(participant, { keys, peering: joined, nodeKey: publicKey, nodeAddress });
  const changes = { add: [null, subject], edit: [subject, edited], delete: [subject, null] } as const;
  const [before, after] = changes[kind];
  const scenario = { host, established: joined, unjoined, asn: subject.asn, before, after, order, agent };
  await waitUntilJoined(scenario);
  return scenario;
}

export const waitUntilJoined = ({ host, established }: CrashScenario) =>
  waitUntilEstablished(host, interfaceName(established.asn));

/** Restarts the agent, which resets the backoff of repairs from an earlier test. */
export async function restartAgent(scenario: CrashScenario): Promise<void> {
  await scenario.agent[Symbol.asyncDispose]();
  await startAgentAgain(scenario);
}

/** Starts an agent in place of one that has ended. */
export async function startAgentAgain(scenario: CrashScenario): Promise<void> {
  scenario.agent = await startAgent(scenario.host, {}, { order: scenario.order });
}

/**
 * Returns to the state before the change, always in the same way and including the creation of a tunnel, so
 * that the change always has the same steps: an agent's first tunnel has one more step if the kernel has no
 * WireGuard.
 */
export async function resetToBefore({ agent, asn, before, after }: CrashScenario): Promise<void> {
  for (const desired of [null, before ?? after, before]) {
    const { outcome, reason } = await agent.apply(asn, desired);
    if (outcome !== "applied") throw new Error(`resetting was ${outcome}: ${reason}`);
  }
}

export interface Recorded {
  readonly old: RouterState;
  readonly new: RouterState;
  readonly steps: readonly string[];
}

/** Makes the change once without interruption and records its steps. */
export async function recordSteps(scenario: CrashScenario): Promise<Recorded> {
  await resetToBefore(scenario);
  const old = await settledState(scenario.host);
  const { outcome, steps, reason } = await scenario.agent.apply(scenario.asn, scenario.after);
  if (outcome !== "applied") throw new Error(`the change was ${outcome}: ${reason}`);
  return { old, new: await settledState(scenario.host), steps };
}

const outOfSyncCodes: ReadonlySet<string> = new Set<FindingCode>([
  "not-applied-yet",
  "router-drifted",
  "router-repair-waits",
  "router-state-unknown",
  "router-not-restored",
  "bird-files-not-loaded",
]);

/** What the node's health has while the router may not run the confirmed configuration. */
export async function outOfSyncFindings({ agent }: CrashScenario): Promise<readonly CodedFacts[]> {
  const { findings } = await agent.health();
  return findings.filter(({ code }) => outOfSyncCodes.has(code));
}

export interface Interrupted {
  /** The state that the agent has in the end. */
  readonly outcome: "old" | "new";
  readonly response: ApplyResult["outcome"];
}

/** Returns the generation of the peering that the change is for, as the agent stored it. */
export async function readGeneration({ agent, asn }: CrashScenario): Promise<number | undefined> {
  return (await agent.generations()).find((one) => one.asn === asn)?.generation;
}

/** Makes the change, and runs the breakpoint's action before one of its steps. */
export async function interruptAt(scenario: CrashScenario, step: Breakpoint): Promise<Interrupted> {
  const generationBefore = await readGeneration(scenario);
  const { outcome: response } = await scenario.agent.apply(scenario.asn, scenario.after, step);
  return { outcome: (await readGeneration(scenario)) === generationBefore ? "old" : "new", response };
}

/**
 * Kills the wireguard-go process of a tunnel, or deletes its interface if the kernel runs it; false if there
 * is none.
 */
export async function killTunnel(host: LabHost, asn: string): Promise<boolean> {
  if (await signalWireguard(host, asn, "SIGKILL")) return true;
  return host.run("ip", "link", "delete", "dev", interfaceName(asn)).then(
    () => true,
    () => false,
  );
}
