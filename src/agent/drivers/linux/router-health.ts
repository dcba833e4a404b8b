import type { Run } from "#system/processes.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import type { SessionFiles } from "../bird/session-files.ts";
import type { UnloadedChanges } from "../bird/unloaded-changes.ts";
import type { DriftFinder } from "../drift/drift-finder.ts";
import { findBlockedPeerings } from "../firewall/dropping-chains.ts";
import type { Firewall } from "../firewall/firewall.ts";
import type { ForwardingMonitor } from "../forwarding/forwarding-monitor.ts";
import { findUnlistedInterfaces } from "../firewall/unlisted-interfaces.ts";
import { findLeftOut } from "../left-out/left-out-tunnels.ts";
import type { RouterProbes } from "../probes/router-probes.ts";
import type { PeeringObservation, RouterHealth } from "../router.ts";
import type { WireguardReader } from "../wireguard/read-interfaces.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { Tunnels } from "../wireguard/tunnels.ts";
import { findDisabledIpv6 } from "./ipv6-settings.ts";
import { hostPaths, readNodeHealth } from "./node-health.ts";
import { nullIfBirdUnavailable } from "./router-errors.ts";

export interface RouterHealthParts {
  readonly run: Run;
  readonly bird: BirdControl;
  readonly unloadedChanges: UnloadedChanges;
  readonly sessionFiles: Pick<SessionFiles, "findDisabled">;
  readonly firewall: Pick<Firewall, "findings">;
  readonly tunnels: Pick<Tunnels, "leftOut">;
  readonly drift: Pick<DriftFinder, "findings">;
  readonly forwarding: Pick<ForwardingMonitor, "findings" | "chains">;
  readonly wireguard: Pick<WireguardReader, "finding">;
  readonly running: () => RoutedSet;
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  readonly probes: Pick<RouterProbes, "findings">;
  /** The provider's own, through which participants' packets pass. */
  readonly ownInterfaces: readonly string[];
  /** Whether an interface is a participant's tunnel. */
  readonly isParticipants: (name: string) => boolean;
  /** Whether the node has IPv6 addresses of its own on the loopback interface. */
  readonly hasIpv6Addresses: boolean;
}

/** Reads what is wrong with the machine, with the agent's parts of it, and with what else its owner runs there. */
export async function readRouterHealth(parts: RouterHealthParts): Promise<RouterHealth> {
  const { run, bird, unloadedChanges, sessionFiles, firewall, tunnels, drift, wireguard } = parts;
  const { running, observe, ownInterfaces, isParticipants, hasIpv6Addresses, forwarding } = parts;
  const isKnown = (name: string) => isParticipants(name) || ownInterfaces.includes(name);
  const [health, ofIpv6, unloaded, disabled, ofFilter, unlisted, blocked, ofProbes] = await Promise.all([
    readNodeHealth(bird, hostPaths, ownInterfaces),
    findDisabledIpv6(hasIpv6Addresses, running().values()),
    unloadedChanges.find().catch(nullIfBirdUnavailable),
    sessionFiles.findDisabled().catch(nullIfBirdUnavailable),
    firewall.findings(),
    findUnlistedInterfaces(run, isKnown),
    findBlockedPeerings(forwarding.chains(), observe),
    parts.probes.findings(),
  ]);
  const ofTunnels = [...findLeftOut(tunnels.leftOut()), ...drift.findings()];
  const ofNode = [...forwarding.findings(), ...ofIpv6, unloaded, disabled, ...ofTunnels];
  const found = [...ofNode, ...ofFilter, ...unlisted, ...blocked, ...ofProbes, wireguard.finding()];
  return { ...health, findings: [...health.findings, ...found.filter((finding) => finding !== null)] };
}
