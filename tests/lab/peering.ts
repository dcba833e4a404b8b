/** A participant of the lab who peers over HTTP and brings up their side. */
import { calls } from "../../src/contract/calls.ts";
import type { Caller } from "../../src/contract/client.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { signIn } from "../../src/lab/accounts.ts";
import { joinNode } from "../../src/lab/join.ts";
import type { LabParticipant, RunningLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { ended, peerUpdate } from "../integration/server/participant.ts";

export interface SignedIn {
  readonly participant: LabParticipant;
  readonly username: string;
  readonly call: Caller;
}

export async function signInto(lab: RunningLab, asn: string): Promise<SignedIn> {
  const participant = lab.participants.find(({ plan }) => plan.asn === asn);
  if (!participant) throw new Error(`the lab has no AS${asn}`);
  return { participant, username: asn, call: await signIn(lab.url, asn, participant.plan.password) };
}

/** Both families with extended next hop, unless `changes` say otherwise. */
export async function peerWith(
  lab: RunningLab,
  { participant, username, call }: SignedIn,
  node: string,
  changes: Partial<PeerUpdate> = {},
): Promise<void> {
  const { plan, publicKey, host } = participant;
  const update = peerUpdate({ node, remote_ip: plan.publicIp, public_key: publicKey, ...changes });
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, update]);
  const task = await ended({ asn: username, cookie: "", call }, taskID);
  if (task.status !== "success") throw new Error(`${node} ended with ${task.status}: ${task.reason}`);
  await joinNode(lab.url, plan, host, node);
}

export function hostOf(lab: RunningLab, name: string): LabHost {
  const host = lab.hosts.get(name);
  if (!host) throw new Error(`the lab has no ${name}`);
  return host;
}
