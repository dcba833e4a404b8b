/**
 * Other programs' nftables chains that drop by default. A packet passes only if all tables accept it, so such a
 * chain can stop participants' packets that the agent's table accepts.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import { maxHandshakeAgeSeconds, type PeeringObservation } from "../router.ts";
import {
  acceptsParticipants,
  acceptsTunnelPorts,
  endsWithDrop,
  type ListedRule,
  type ListedSet,
  type ListedTable,
} from "./accepting-rules.ts";
import { tableName } from "./elements.ts";

export interface DroppingChain {
  /** Family, table and chain, as in nft's commands. */
  readonly name: string;
  readonly hook: "input" | "forward";
  /** Whether a rule that accepts names participants' interfaces; also if the rules cannot be read. */
  readonly namesParticipants: boolean;
  /** Whether a rule that accepts names UDP ports of tunnels; also of a chain for forwarded packets. */
  readonly namesTunnelPorts: boolean;
}

/** A finding names the first of them. */
const maxChains = 8;

interface ListedChain {
  readonly family: string;
  readonly table: string;
  readonly name: string;
  readonly hook?: string;
  readonly policy?: string;
}

/** An entry of nft's lists. */
interface Listed {
  readonly chain?: ListedChain;
  readonly rule?: ListedRule;
  readonly set?: TypedSet;
  readonly map?: TypedSet;
}

interface TypedSet extends ListedSet {
  readonly type: string | readonly string[];
}

/**
 * Returns the chains whose policy or last rule drops all other packets; none if nft cannot list them. The chains of
 * iptables-legacy are not visible to nft.
 */
export async function findDroppingChains(run: Run): Promise<readonly DroppingChain[]> {
  const chains = ((await list(run, ["chains"])) ?? []).flatMap(({ chain }) => chain ?? []);
  const others = chains.filter(
    ({ family, table, hook }) =>
      /^(?:ip|ip6|inet)$/.test(family) &&
      (hook === "input" || hook === "forward") &&
      !(family === "inet" && table === tableName),
  );
  const found: DroppingChain[] = [];
  for (const [owner, own] of Map.groupBy(others, ({ family, table }) => `${family} ${table}`)) {
    const rules = await readTable(run, owner.split(" "));
    for (const { name, hook, policy } of own) {
      if (policy !== "drop" && !(rules && endsWithDrop(rules, name))) continue;
      const namesParticipants = rules === null || acceptsParticipants(rules, name);
      const namesTunnelPorts = hook !== "input" || rules === null || acceptsTunnelPorts(rules, name);
      found.push({
        name: `${owner} ${name}`,
        hook: hook === "input" ? hook : "forward",
        namesParticipants,
        namesTunnelPorts,
      });
    }
  }
  return found;
}

/** Reads the rules of a table, and the elements of those of its sets that have names of interfaces. Null if nft cannot list them. */
async function readTable(run: Run, table: readonly string[]): Promise<ListedTable | null> {
  const listed = await list(run, ["table", ...table], ["--terse"]);
  if (listed === null) return null;
  const sets = await Promise.all(
    listed.flatMap(({ set, map }) => {
      const own = set ?? map;
      if (!own || ![own.type].flat().includes("ifname")) return [];
      return list(run, [set ? "set" : "map", ...table, own.name]);
    }),
  );
  return {
    rules: listed.flatMap(({ rule }) => rule ?? []),
    sets: sets.flatMap((each) => each ?? []).flatMap(({ set, map }) => set ?? map ?? []),
  };
}

async function list(
  run: Run,
  what: readonly string[],
  options: readonly string[] = [],
): Promise<readonly Listed[] | null> {
  const result = await run("nft", ["--json", ...options, "list", ...what]).catch((error: unknown) => {
    if (error instanceof ProcessError) return null;
    throw error;
  });
  if (result?.code !== 0 || result.isTruncated) return null;
  return (JSON.parse(result.stdout) as { readonly nftables: readonly Listed[] }).nftables;
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

/** Returns what other programs' chains keep from participants. */
export async function findBlockingChains(
  run: Run,
  observe: () => Promise<readonly PeeringObservation[]>,
): Promise<readonly Finding[]> {
  const chains = await findDroppingChains(run);
  if (chains.length === 0) return [];
  const peerings = await observe();
  return [
    ...findBlockedForwarding(chains),
    ...findBlockedSessions(chains, peerings),
    ...findBlockedTunnels(chains, peerings),
  ];
}

/** Returns a finding if chains drop forwarded packets by default, and no rule of theirs names participants' interfaces. */
function findBlockedForwarding(chains: readonly DroppingChain[]): readonly Finding[] {
  const blocking = chains.filter(({ hook, namesParticipants }) => hook === "forward" && !namesParticipants);
  return blocking.length === 0 ? [] : [{ code: "forwarding-blocked", facts: { chains: factsOf(blocking) } }];
}

/** Facts have no spaces. */
function factsOf(chains: readonly DroppingChain[]): string[] {
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
  const names = factsOf(chains.filter(({ hook }) => hook === "input"));
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
  return [{ code: "tunnels-blocked", facts: { tunnels: down, chains: factsOf(blocking) } }];
}

function isUp({ handshakeAgeSeconds: age }: PeeringObservation): boolean {
  return age !== null && age < maxHandshakeAgeSeconds;
}

/** Whether the operator disabled all sessions of a peering. */
function isDisabled({ sessions }: PeeringObservation): boolean {
  return sessions.length > 0 && sessions.every((session) => session.isDisabled === true);
}
