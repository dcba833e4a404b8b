/** What a person does with "config for your side": fetch it, fill in the private key, bring it up. */
import { access, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calls } from "../contract/calls.ts";
import { CallError } from "../contract/client.ts";
import { participantInterface, type PeeringSides, renderWireguard } from "../domain/participant-config.ts";
import { signIn } from "./accounts.ts";
import { hostAt, type HostPlace } from "./namespaces.ts";
import { LabError, type ParticipantPlan } from "./network.ts";
import { speakerOn } from "./speaker.ts";

/** Gives what was done, a sentence each. Joining again takes the values of now. */
export async function joinNode(
  url: string,
  plan: ParticipantPlan,
  place: HostPlace,
  node: string,
): Promise<readonly string[]> {
  const sides = await fetchSides(url, plan, node);
  const host = hostAt(place);
  const key = (await readFile(join(host.folder, "wireguard.key"), "utf8")).trim();
  const tunnel = tunnelFile(place, node);
  if (await exists(tunnel)) await takeDown(host, tunnel, node);
  const config = renderWireguard(sides).replace("<paste your private key here>", key);
  await writeFile(tunnel, config, { mode: 0o600 });
  await host.run("wg-quick", "up", tunnel);
  await speakerOn(host, plan).take(sides);
  return [
    `Brought up the tunnel ${participantInterface(node)} on ${place.name}.`,
    `${plan.speaker} took its BGP sessions.`,
  ];
}

/** Takes down what `joinNode` brought up, as one does after deleting a peering. */
export async function leaveNode(
  plan: ParticipantPlan,
  place: HostPlace,
  node: string,
): Promise<readonly string[]> {
  const host = hostAt(place);
  const tunnel = tunnelFile(place, node);
  if (!(await exists(tunnel))) throw new LabError(`AS${plan.asn} has not joined ${node}.`);
  await speakerOn(host, plan).drop(node);
  await takeDown(host, tunnel, node);
  await rm(tunnel);
  return [`Took down the BGP sessions and the tunnel ${participantInterface(node)} on ${place.name}.`];
}

/** Resolves when wireguard-go has ended too, so that the next of that name can start. */
async function takeDown(host: ReturnType<typeof hostAt>, tunnel: string, node: string): Promise<void> {
  await host.run("wg-quick", "down", tunnel);
  const socket = `/run/wireguard/${participantInterface(node)}.sock`;
  await host.run("sh", "-c", `for i in $(seq 100); do [ -e ${socket} ] || break; sleep 0.05; done`);
}

async function fetchSides(url: string, plan: ParticipantPlan, node: string): Promise<PeeringSides> {
  const username = plan.asn;
  const call = await signIn(url, plan.asn, plan.password);
  try {
    const peer = (await call(calls.getPeerConfig, { username, node }))[node];
    if (!peer) throw new Error(`the answer says nothing about ${node}`);
    return { node, peer, provider: await call(calls.getNodeConfig, { username, node }) };
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    throw new LabError(`AS${plan.asn} has no peering on ${node}. Create it first: ${url}/manager`, {
      cause: error,
    });
  }
}

function tunnelFile({ folder }: HostPlace, node: string): string {
  return join(folder, "wireguard", `${participantInterface(node)}.conf`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
