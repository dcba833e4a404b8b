/** A participant of the lab that peers over HTTP and sets up its router. */
import { calls } from "../../src/contract/calls.ts";
import type { Caller } from "../../src/contract/client.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { logIn } from "../../src/lab/accounts.ts";
import { joinNode } from "../../src/lab/join.ts";
import type { LabParticipant, RunningLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { waitForTask, peerUpdate } from "../integration/server/participant.ts";

export interface LoggedInParticipant {
  readonly participant: LabParticipant;
  readonly username: string;
  readonly call: Caller;
}

export async function logInToLab(lab: RunningLab, asn: string): Promise<LoggedInParticipant> {
  const participant = lab.participants.find(({ plan }) => plan.asn === asn);
  if (!participant) throw new Error(`the lab has no AS${asn}`);
  return { participant, username: asn, call: await logIn(lab.url, asn, participant.plan.password) };
}

/** Creates a peering for both address families with extended next hop, unless `changes` say otherwise. */
export async function createPeering(
  lab: RunningLab,
  { participant, username, call }: LoggedInParticipant,
  node: string,
  changes: Partial<PeerUpdate> = {},
): Promise<void> {
  const { plan, publicKey, host } = participant;
  const update = peerUpdate({ node, remote_ip: plan.publicIp, public_key: publicKey, ...changes });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, update]);
  const task = await waitForTask({ asn: username, cookie: "", call }, taskID);
  if (task.status !== "success") throw new Error(`${node} ended with ${task.status}: ${task.reason}`);
  await joinNode(lab.url, plan, host, node);
}

export function findHost(lab: RunningLab, name: string): LabHost {
  const host = lab.hosts.get(name);
  if (!host) throw new Error(`the lab has no ${name}`);
  return host;
}
