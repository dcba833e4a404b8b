/** A participant that uses a running server only over HTTP, as a script would. */
import { randomBytes } from "node:crypto";
import type { SimulationMode } from "#agent/drivers/simulated/simulated-router.ts";
import { calls } from "#contract/calls.ts";
import { type Caller, CallError } from "#contract/client.ts";
import type { PeerUpdate, Task } from "#contract/entities.ts";
import { createHttpCaller } from "#lab/accounts.ts";
import type { NodeState } from "#server/nodes/provider-node.ts";

export { createHttpCaller as caller };

export interface SentMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
  readonly at: string;
}

export interface Participant {
  readonly asn: string;
  readonly cookie: string;
  readonly call: Caller;
}

export async function outbox(url: string): Promise<SentMail[]> {
  const response = await fetch(`${url}/demo/outbox.json`);
  return (await response.json()) as SentMail[];
}

/** The token in the newest mail that contains a link. */
export async function mailedToken(url: string): Promise<string> {
  for (const { text } of await outbox(url)) {
    const token = /\/setPassword\?token=([\w-]+)/.exec(text)?.[1];
    if (token !== undefined) return token;
  }
  throw new Error("no mail contains a link");
}

/** Registers an AS of the sample registry and signs it in. */
export async function signUp(
  url: string,
  asn: string,
  password = "a sentence for the tests",
): Promise<Participant> {
  const anonymous = createHttpCaller(url);
  await anonymous(calls.sendEmailVerification, { asn });
  await anonymous(calls.setPassword, { token: await mailedToken(url), password });
  return logIn(url, asn, password);
}

export async function logIn(
  url: string,
  asn: string,
  password = "a sentence for the tests",
): Promise<Participant> {
  let cookie = "";
  await createHttpCaller(url, "", (set) => {
    cookie = set;
  })(calls.login, { username: asn, password });
  return { asn, cookie, call: createHttpCaller(url, cookie) };
}

/** A valid submit with these changes. */
export function peerUpdate(changes: Partial<PeerUpdate> = {}): PeerUpdate {
  return {
    node: "syd01",
    address_family: "Both",
    bgp_extnh: "Yes",
    remote_ip: "198.51.100.7",
    remote_port: "51820",
    peer_ipv4: "",
    peer_ipv6: "fe80::1",
    local_ipv6: "",
    public_key: randomKey(),
    ...changes,
  };
}

/** Returns a public key without the form of a private one (`hasPrivateKeyForm`), about which the wizard warns. */
export function randomKey(): string {
  const key = randomBytes(32);
  key.writeUInt8(key.readUInt8(31) | 0x80, 31);
  return key.toString("base64");
}

/** Submits a peering with a tunnel address of the AS's own. Returns the task's ID. */
export async function submitPeering(
  { asn: username, call }: Participant,
  node: string,
  changes: Partial<PeerUpdate> = {},
): Promise<string> {
  const update = peerUpdate({ node, peer_ipv6: `fe80::${username.slice(-4)}`, ...changes });
  return (await call(calls.updatePeerConfig, [{ username }, update])).taskID;
}

/** Deploys a new peering, and throws unless it succeeds. */
export async function deployPeering(
  participant: Participant,
  node: string,
  changes: Partial<PeerUpdate> = {},
): Promise<void> {
  const { status, reason } = await waitForTask(participant, await submitPeering(participant, node, changes));
  if (status !== "success") throw new Error(`the deployment ended with ${status}: ${reason}`);
}

/** Deletes a peering and waits until its task ends. */
export async function deletePeering(participant: Participant, node: string): Promise<Task> {
  const { taskID } = await participant.call(calls.deletePeer, { username: participant.asn, node });
  return waitForTask(participant, taskID);
}

/** Returns the error of a submit that the server must reject. */
export async function submitError({ asn, call }: Participant, update: object): Promise<CallError> {
  const error: unknown = await call(calls.updatePeerConfig, [{ username: asn }, update as PeerUpdate]).then(
    () => new Error("the submit was accepted"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallError) return error;
  throw error;
}

/** Polls a task until it finishes. */
export async function waitForTask({ asn, call }: Participant, taskID: string): Promise<Task> {
  for (;;) {
    const task = await call(calls.getTaskStatus, { username: asn, taskID });
    if (task.status !== "waiting") return task;
    await new Promise((resolve) => {
      setTimeout(resolve, 15);
    });
  }
}

/** Sets the simulation mode of a node of the demo. */
export async function setNodeMode(url: string, node: string, mode: SimulationMode): Promise<void> {
  await switchNode(url, node, { mode });
}

/** Opens or closes a node of the demo, or says that it will be taken out of service. */
export async function setNodeState(url: string, node: string, state: NodeState): Promise<void> {
  await switchNode(url, node, { state });
}

/** Announces another WireGuard key of a node of the demo. */
export async function startNodeRekey(url: string, node: string): Promise<void> {
  await switchNode(url, node, { key: "new" });
}

async function switchNode(url: string, node: string, values: Record<string, string>): Promise<void> {
  const response = await fetch(`${url}/demo/nodes/${node}`, {
    method: "POST",
    body: new URLSearchParams(values),
  });
  if (!response.ok)
    throw new Error(`${node} could not be made ${Object.values(values).join()}: ${response.status}`);
}
