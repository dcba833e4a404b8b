/** What a person does with "config for your side": fetch it, fill in the private key, bring it up. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calls } from "../contract/calls.ts";
import { CallError } from "../contract/client.ts";
import {
  participantInterface,
  type PeeringSides,
  renderBird,
  renderWireguard,
} from "../domain/participant-config.ts";
import { signIn } from "./accounts.ts";
import { frrCommands } from "./frr.ts";
import { hostAt, type HostPlace } from "./namespaces.ts";
import { LabError, type ParticipantPlan } from "./network.ts";

type Host = ReturnType<typeof hostAt>;

/** Gives what was done, a sentence each. Joining again takes the values of now. */
export async function joinNode(
  url: string,
  plan: ParticipantPlan,
  place: HostPlace,
  node: string,
): Promise<readonly string[]> {
  const host = hostAt(place);
  const sides = await fetchSides(url, plan, node);
  const tunnel = await upTunnel(host, sides);
  const sessions = plan.speaker === "BIRD" ? await speakBird(host, sides) : await speakFrr(host, sides);
  return [`Brought up the tunnel ${tunnel} on ${host.name}.`, sessions];
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

async function upTunnel(host: Host, sides: PeeringSides): Promise<string> {
  const name = participantInterface(sides.node);
  const file = join(host.folder, "wireguard", `${name}.conf`);
  const key = (await readFile(join(host.folder, "wireguard.key"), "utf8")).trim();
  await writeFile(file, renderWireguard(sides).replace("<paste your private key here>", key), {
    mode: 0o600,
  });
  const there = await host.run("sh", "-c", `ip link show dev ${name} 2>/dev/null || true`);
  if (there !== "") await host.run("wg-quick", "down", file);
  await host.run("wg-quick", "up", file);
  return name;
}

async function speakBird(host: Host, sides: PeeringSides): Promise<string> {
  await writeFile(join(host.folder, "bird/peers", `${sides.node}.conf`), renderBird(sides));
  const answer = await host.run("birdc", "configure");
  if (!/Reconfigur/.test(answer))
    throw new LabError(`BIRD of ${host.name} refused the configuration:\n${answer}`);
  return "BIRD took the configuration.";
}

async function speakFrr(host: Host, sides: PeeringSides): Promise<string> {
  await host.run("vtysh", ...frrCommands(sides).flatMap((command) => ["-c", command]));
  return "FRR took the configuration.";
}
