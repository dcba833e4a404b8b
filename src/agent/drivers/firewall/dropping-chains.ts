/**
 * Other programs' chains that drop by default. A packet passes only if all tables accept it, so such a
 * chain can stop participants' packets that the agent's table accepts.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { maxHandshakeAgeSeconds, type PeeringObservation } from "../router.ts";
import { acceptsParticipants, acceptsTunnelPorts, endsWithDrop } from "./accepting-rules.ts";
import type { BaseChain } from "./ruleset.ts";

export interface DroppingChain {
  /** Family, table and chain, as in nft's commands. */
  readonly name: string;
  readonly hook: "input" | "forward";
  /** Whether a rule that accepts names participants' interfaces. */
  readonly namesParticipants: boolean;
  /** Whether a rule that accepts names UDP ports of tunnels; also of a chain for forwarded packets. */
  readonly namesTunnelPorts: boolean;
}

/** A finding names the first of them. */
const maxChains = 8;

/** Returns the chains whose policy or last rule drops all other packets. */
export function droppingChainsOf(chains: readonly BaseChain[]): readonly DroppingChain[] {
  return chains.flatMap(({ owner, name, hook, policy, table }) => {
    if (hook !== "input" && hook !== "forward") return [];
    if (policy !== "drop" && !endsWithDrop(table, name)) return [];
    const namesTunnelPorts = hook !== "input" || acceptsTunnelPorts(table, name);
    return {
      name: `${owner} ${name}`,
      hook,
      namesParticipants: acceptsParticipants(table, name),
      namesTunnelPorts,
    };
  });
}

/** What the chains of a hook have to accept. */
const needed = {
  input:
    "ICMP and TCP port 179 from participants' interfaces (dn42_*), the agent's port, and UDP ports 20000 to 32767 from " +
    "every address",
  forward: "packets between participants' interfaces (dn42_*) and your own tunnels",
} as const;

/** Whether the rules of a chain name all that participants need. */
export function isHandled({ namesParticipants, namesTunnelPorts }: DroppingChain): boolean {
  return namesParticipants && namesTunnelPorts;
}

/** A sentence for the operator who sets up a node. */
export function describeDroppingChain({
  name,
  hook,
  namesParticipants,
  namesTunnelPorts,
}: DroppingChain): string {
  const packets = hook === "input" ? "incoming" : "forwarded";
  if (!namesParticipants)
    return (
      `Your chain ${name} drops ${packets} packets by default, and none of its rules names participants' interfaces. ` +
      `Accept ${needed[hook]}.`
    );
  if (!namesTunnelPorts)
    return (
      `Your chain ${name} drops ${packets} packets by default, and none of its rules names the UDP ports of tunnels. ` +
      `Accept ${needed[hook]}.`
    );
  return `Your chain ${name} drops ${packets} packets by default. Check that it accepts ${needed[hook]}.`;
}

/** Returns what chains for incoming packets keep from participants. */
export async function findBlockedPeerings(
  chains: readonly DroppingChain[],
  observe: () => Promise<readonly PeeringObservation[]>,
): Promise<readonly Finding[]> {
  if (!chains.some(({ hook }) => hook === "input")) return [];
  const peerings = await observe();
  return [...findBlockedSessions(chains, peerings), ...findBlockedTunnels(chains, peerings)];
}

/** Facts have no spaces. */
export function chainFacts(chains: ReadonlyArray<Pick<DroppingChain, "name">>): string[] {
  return chains.slice(0, maxChains).map(({ name }) => name.replaceAll(" ", ":"));
}

/**
 * Returns a finding if tunnels are up, no BGP session is established, and a chain for incoming packets drops by
 * default. One established session shows that the chain accepts them.
 */
function findBlockedSessions(
  chains: readonly DroppingChain[],
  peerings: readonly PeeringObservation[],
): readonly Finding[] {
  const names = chainFacts(chains.filter(({ hook }) => hook === "input"));
  const up = peerings.filter((peering) => isUp(peering) && !isDisabled(peering)).length;
  const isEstablished = peerings.some(({ sessions }) =>
    sessions.some(({ state }) => state === "Established"),
  );
  if (names.length === 0 || up === 0 || isEstablished) return [];
  return [{ code: "sessions-blocked", facts: { tunnels: up, chains: names } }];
}

/**
 * Returns a finding if tunnels are down, and a chain for incoming packets drops by default and names none of their ports: the
 * handshakes of participants who connect to the node do not arrive.
 */
function findBlockedTunnels(
  chains: readonly DroppingChain[],
  peerings: readonly PeeringObservation[],
): readonly Finding[] {
  const blocking = chains.filter(({ namesTunnelPorts }) => !namesTunnelPorts);
  const down = peerings.filter((peering) => !isUp(peering)).length;
  if (blocking.length === 0 || down === 0) return [];
  return [{ code: "tunnels-blocked", facts: { tunnels: down, chains: chainFacts(blocking) } }];
}

function isUp({ handshakeAgeSeconds: age }: PeeringObservation): boolean {
  return age !== null && age < maxHandshakeAgeSeconds;
}

/** Whether the operator disabled all sessions of a peering. */
function isDisabled({ sessions }: PeeringObservation): boolean {
  return sessions.length > 0 && sessions.every((session) => session.isDisabled === true);
}
