/**
 * Checks what keeps participants' packets from passing through the machine: chains of its owner's firewall that drop by
 * default, and links of its owner that the packet filter does not know.
 */
import { isInNetwork } from "../../domain/address-ranges.ts";
import { describeToOperator } from "../../domain/findings/findings.ts";
import { parseAddress } from "../../domain/prefix.ts";
import { ProcessError, type Run } from "../../system/processes.ts";
import type { BirdControl } from "../drivers/bird/control-socket.ts";
import { parseNeighbours } from "../drivers/bird/parse-neighbours.ts";
import { describeDroppingChain, droppingChainsOf, isHandled } from "../drivers/firewall/dropping-chains.ts";
import { readLegacyChains } from "../drivers/firewall/legacy-chains.ts";
import { readRuleset } from "../drivers/firewall/ruleset.ts";
import { findUnlistedInterfaces } from "../drivers/firewall/unlisted-interfaces.ts";

export interface ForwardingChecks {
  /** Each a sentence with how to fix it. */
  readonly problems: readonly string[];
  /** What is for the operator to check. */
  readonly notes: readonly string[];
}

/** Checks the chains of other programs. Needs root. */
export async function checkDroppingChains(run: Run): Promise<ForwardingChecks> {
  const chains = droppingChainsOf([...((await readRuleset(run)) ?? []), ...(await readLegacyChains(run))]);
  const [notes, problems] = [true, false].map((isNamed) =>
    chains.filter((chain) => isHandled(chain) === isNamed).map(describeDroppingChain),
  );
  return { problems: problems ?? [], notes: notes ?? [] };
}

export interface Links {
  readonly run: Run;
  readonly bird: BirdControl;
  /** The interfaces of [linux.tunnels] and of [linux.firewall]. */
  readonly listed: readonly string[];
  /** The interfaces that the agent created. */
  readonly participants: readonly string[];
}

/** Checks that the packet filter knows the interfaces of BIRD's routes in the network, and those of sessions without routes yet. */
export async function checkLinks({ run, bird, listed, participants }: Links): Promise<readonly string[]> {
  const isKnown = (name: string) => listed.includes(name) || participants.includes(name);
  const ofRoutes = await findUnlistedInterfaces(run, isKnown);
  if (ofRoutes.length > 0) return ofRoutes.map(describeToOperator);
  const reply = await bird("show protocols all").catch(() => null);
  const problems: string[] = [];
  for (const { name, address, interfaceName } of reply === null ? [] : parseNeighbours(reply)) {
    if (participants.some((own) => name.startsWith(own))) continue;
    const used = interfaceName ?? (await findRoute(run, address));
    if (used === null || used === "lo" || isKnown(used)) continue;
    problems.push(
      `BIRD's session ${name} uses ${used}, to which the packet filter lets no participant's packets. ` +
        "Add it in agent.toml: a tunnel to your own node to [linux.tunnels], a peering that you made by hand to " +
        "interfaces in [linux.firewall].",
    );
  }
  return problems;
}

/** Returns the interface that leads to an address of the network; null for another address, and without a route. */
async function findRoute(run: Run, text: string): Promise<string | null> {
  const address = parseAddress(text);
  if (!address || !isInNetwork(address)) return null;
  const result = await run("ip", ["-json", "route", "get", text]).catch(noProcess);
  if (result?.code !== 0) return null;
  const [route] = JSON.parse(result.stdout) as ReadonlyArray<{ readonly dev?: string }>;
  return route?.dev ?? null;
}

function noProcess(error: unknown): null {
  if (error instanceof ProcessError) return null;
  throw error;
}
