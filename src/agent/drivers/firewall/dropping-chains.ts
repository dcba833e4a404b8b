/**
 * Other programs' nftables chains that drop by default. A packet passes only if all tables accept it, so such a
 * chain can stop participants' packets that the agent's table accepts.
 */
import type { Finding } from "#domain/findings/findings.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import { maxHandshakeAgeSeconds, type PeeringObservation } from "../router.ts";
import { tableName } from "./elements.ts";

export interface DroppingChain {
  /** Family, table and chain, as in nft's commands. */
  readonly name: string;
  readonly hook: "input" | "forward";
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

/** Returns the chains; none if nft cannot list them. What their rules accept is not known. */
export async function findDroppingChains(run: Run): Promise<readonly DroppingChain[]> {
  const result = await run("nft", ["--json", "list", "chains"]).catch((error: unknown) => {
    if (error instanceof ProcessError) return null;
    throw error;
  });
  if (result?.code !== 0) return [];
  const { nftables } = JSON.parse(result.stdout) as {
    readonly nftables: ReadonlyArray<{ readonly chain?: ListedChain }>;
  };
  return nftables.flatMap(({ chain }) => {
    if (chain?.policy !== "drop" || (chain.family === "inet" && chain.table === tableName)) return [];
    if (chain.hook !== "input" && chain.hook !== "forward") return [];
    return { name: `${chain.family} ${chain.table} ${chain.name}`, hook: chain.hook };
  });
}

/** A sentence for the operator who sets up a node. */
export function describeDroppingChain({ name, hook }: DroppingChain): string {
  const [packets, needed] =
    hook === "input"
      ? ["incoming", "ICMP and TCP port 179 from participants' interfaces (dn42_*), and the agent's port"]
      : ["forwarded", "packets between participants' interfaces (dn42_*) and your own tunnels"];
  return `Your chain ${name} drops ${packets} packets by default. Check that it accepts ${needed}.`;
}

/**
 * Returns a finding if tunnels are up, no BGP session is established, and a chain for incoming packets drops by
 * default. One established session shows that the chain accepts them.
 */
export function findBlockedSessions(
  chains: readonly DroppingChain[],
  peerings: readonly PeeringObservation[],
): readonly Finding[] {
  const names = chains.filter(({ hook }) => hook === "input").map(({ name }) => name.replaceAll(" ", ":"));
  const up = peerings.filter(
    ({ handshakeAgeSeconds: age }) => age !== null && age < maxHandshakeAgeSeconds,
  ).length;
  const isEstablished = peerings.some(({ sessions }) =>
    sessions.some(({ state }) => state === "Established"),
  );
  if (names.length === 0 || up === 0 || isEstablished) return [];
  return [{ code: "sessions-blocked", facts: { tunnels: up, chains: names.slice(0, maxChains) } }];
}
