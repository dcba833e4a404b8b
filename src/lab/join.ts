/**
 * Does what a participant does with "config for your side": fetches it, inserts the private key, and applies
 * it.
 */
import { access, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calls } from "../contract/calls.ts";
import { CallError } from "../contract/client.ts";
import { type PeeringSides, renderWireguard } from "../domain/peering/participant-config.ts";
import { participantInterface } from "../domain/peering/participant-names.ts";
import { logIn } from "./accounts.ts";
import { hostAt, type HostInfo } from "./hosts/namespaces.ts";
import { LabError, type ParticipantPlan, provider } from "./network.ts";
import { createSpeaker } from "./speaker.ts";

/**
 * Joins a node and returns what was done, one sentence per step. Joining again applies the current values.
 */
export async function joinNode(
  url: string,
  plan: ParticipantPlan,
  place: HostInfo,
  node: string,
): Promise<readonly string[]> {
  const sides = await fetchSides(url, plan, node);
  await bringUpTunnel(place, node, renderWireguard(sides));
  await createSpeaker(hostAt(place), plan).addSessions(sides);
  return [
    `Brought up the tunnel ${participantInterface(provider.asn, node)} on ${place.name}.`,
    `Configured the BGP sessions in ${plan.speaker}.`,
  ];
}

/** Starts the tunnel with a file for wg-quick that lacks the private key. A running one is replaced. */
export async function bringUpTunnel(place: HostInfo, node: string, config: string): Promise<void> {
  const host = hostAt(place);
  const key = (await readFile(join(host.folder, "wireguard.key"), "utf8")).trim();
  const tunnel = tunnelFile(place, node);
  if (await exists(tunnel)) await takeDown(host, tunnel, node);
  await writeFile(tunnel, config.replace("<paste your private key here>", key), { mode: 0o600 });
  await host.run("wg-quick", "up", tunnel);
}

/** Removes what `joinNode` set up, as after deleting a peering. */
export async function leaveNode(
  plan: ParticipantPlan,
  place: HostInfo,
  node: string,
): Promise<readonly string[]> {
  const host = hostAt(place);
  const tunnel = tunnelFile(place, node);
  if (!(await exists(tunnel))) throw new LabError(`AS${plan.asn} has not joined ${node}.`);
  await createSpeaker(host, plan).removeSessions(node);
  await takeDown(host, tunnel, node);
  await rm(tunnel);
  return [
    `Took down the BGP sessions and the tunnel ${participantInterface(provider.asn, node)} on ${place.name}.`,
  ];
}

/** Resolves after wireguard-go has exited, so that the next one of that name can start. */
async function takeDown(host: ReturnType<typeof hostAt>, tunnel: string, node: string): Promise<void> {
  await host.run("wg-quick", "down", tunnel);
  const socket = `/run/wireguard/${participantInterface(provider.asn, node)}.sock`;
  await host.run("sh", "-c", `for i in $(seq 100); do [ -e ${socket} ] || break; sleep 0.05; done`);
}

/** Fetches "config for your side". */
export async function fetchSides(url: string, plan: ParticipantPlan, node: string): Promise<PeeringSides> {
  const username = plan.asn;
  const call = await logIn(url, plan.asn, plan.password);
  try {
    const peer = (await call(calls.getPeerConfig, { username, node }))[node];
    if (!peer) throw new Error(`the response does not contain ${node}`);
    const presharedKey =
      peer.preshared_key === "set"
        ? (await call(calls.getPresharedKey, { username, node })).preshared_key
        : undefined;
    return { node, peer, provider: await call(calls.getNodeConfig, { username, node }), presharedKey };
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    throw new LabError(`AS${plan.asn} has no peering on ${node}. Create it first: ${url}/manager`, {
      cause: error,
    });
  }
}

function tunnelFile({ folder }: HostInfo, node: string): string {
  return join(folder, "wireguard", `${participantInterface(provider.asn, node)}.conf`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
