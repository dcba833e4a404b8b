/** A participant of the lab that peers over HTTP and sets up its router. */
import { calls } from "../../src/contract/calls.ts";
import type { PeerStatus, PeerUpdate } from "../../src/contract/entities.ts";
import { joinNode, leaveNode } from "../../src/lab/join.ts";
import type { LabParticipant, RunningLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { deployPeering, logIn, type Participant, waitForTask } from "../integration/server/participant.ts";
import { eventually } from "./eventually.ts";

/** A participant with its router and a login session. */
export interface LoggedInParticipant extends LabParticipant, Participant {}

export async function logInToLab(lab: RunningLab, asn: string): Promise<LoggedInParticipant> {
  const participant = lab.participants.find(({ plan }) => plan.asn === asn);
  if (!participant) throw new Error(`the lab has no AS${asn}`);
  return { ...participant, ...(await logIn(lab.url, asn, participant.plan.password)) };
}

/** Creates a peering for both address families with extended next hop, unless `changes` say otherwise. */
export async function createPeering(
  lab: RunningLab,
  participant: LoggedInParticipant,
  node: string,
  changes: Partial<PeerUpdate> = {},
): Promise<void> {
  const { plan, publicKey, host } = participant;
  await deployPeering(participant, node, { remote_ip: plan.publicIp, public_key: publicKey, ...changes });
  await joinNode(lab.url, plan, host, node);
}

/** Deletes a peering, and its part of the participant's router. */
export async function removePeering(participant: LoggedInParticipant, node: string): Promise<void> {
  const { asn, call, plan, host } = participant;
  const { taskID } = await call(calls.deletePeer, { username: asn, node });
  const { status } = await waitForTask(participant, taskID);
  if (status !== "success") throw new Error(`the deletion ended with ${status}`);
  await leaveNode(plan, host, node);
}

/** Waits until the tunnel and all sessions of a peering are up. */
export async function waitUntilUp(participant: Participant, node: string): Promise<void> {
  await eventually(
    () => readStatus(participant, node),
    (status) =>
      status?.wg_status.state === "Up" && status.sessions.every(({ state }) => state === "Established"),
  );
}

export async function readStatus({ asn, call }: Participant, node: string): Promise<PeerStatus | undefined> {
  const statuses = await call(calls.getPeerStatus, { username: asn });
  return statuses.find((status) => status.node === node);
}

export function findHost(lab: RunningLab, name: string): LabHost {
  const host = lab.hosts.get(name);
  if (!host) throw new Error(`the lab has no ${name}`);
  return host;
}
