/** Measures one peering from Submit to Established, and deletes it. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { Caller } from "#contract/client.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { now, type WatchedNode } from "./watched-node.ts";

/** Milliseconds since Submit. */
export interface Milestones {
  readonly responded: number;
  readonly applyStarted: number;
  readonly applied: number;
  readonly taskEnded: number;
  readonly handshake: number;
  readonly established: number;
}

export interface PeeringRun {
  readonly milestones: Milestones;
  /** The duration of the agent's apply. */
  readonly applyMs: number;
}

/** The app polls every five seconds. The benchmark polls more often for exact times. */
const pollMs = 20;

export async function runPeering(
  call: Caller,
  node: WatchedNode,
  asn: string,
  update: PeerUpdate,
): Promise<PeeringRun> {
  const name = interfaceName(asn);
  const submitted = now();
  const since = () => now() - submitted;
  const task = await call(calls.updatePeerConfig, [{ username: asn }, update]);
  const responded = since();
  const [taskEnded, handshake, established] = await Promise.all([
    untilEnded(call, asn, task.taskID).then(since),
    node.handshake(name).then((at) => at - submitted),
    node.untilSession(name, "Established").then(since),
  ]);
  const { at, ms } = await node.decision(asn);
  const applied = at - submitted;
  return {
    milestones: { responded, applyStarted: applied - ms, applied, taskEnded, handshake, established },
    applyMs: ms,
  };
}

/** Resolves when the node has applied it. */
export async function deploy(call: Caller, asn: string, update: PeerUpdate): Promise<void> {
  const task = await call(calls.updatePeerConfig, [{ username: asn }, update]);
  await untilEnded(call, asn, task.taskID);
}

export async function endPeering(
  call: Caller,
  node: WatchedNode,
  asn: string,
  nodeName: string,
): Promise<void> {
  const task = await call(calls.deletePeer, { username: asn, node: nodeName });
  await untilEnded(call, asn, task.taskID);
  await node.untilSession(interfaceName(asn), null);
}

async function untilEnded(call: Caller, asn: string, taskID: string): Promise<void> {
  for (;;) {
    const task = await call(calls.getTaskStatus, { username: asn, taskID });
    if (task.status === "success") return;
    if (task.status !== "waiting") throw new Error(`a deployment finished as ${task.status}: ${task.reason}`);
    await pause(pollMs);
  }
}
