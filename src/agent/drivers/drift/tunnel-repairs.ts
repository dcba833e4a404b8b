/** What the next change does with tunnels whose values differ from those that were set. */
import { isSameRouted, type RoutedSet } from "../wireguard/tunnel-state.ts";
import {
  expectedState,
  type InterfaceState,
  type InterfaceStates,
  readState,
} from "../wireguard/interface-state.ts";
import { type Kernel, tunnelIn } from "../wireguard/kernel-state.ts";
import { configFor } from "../wireguard/render.ts";
import type { TunnelKeys } from "../wireguard/tunnel-keys.ts";
import type { RoutedPeering } from "../router.ts";
import type { TunnelValue } from "./drifted-value.ts";
import { movedEndpoint } from "./tunnel-values.ts";

export interface TunnelRepair {
  /** The values that differ and are left as they are: another program sets them again and again. */
  readonly held: ReadonlySet<TunnelValue>;
  /** Whether all that is repaired is contested, and was reported before. */
  readonly isRepeated: boolean;
}

export interface TunnelRepairs {
  /** Plans repairs of these tunnels, by AS. */
  readonly plan: (tunnels: RoutedSet, repairs: ReadonlyMap<string, TunnelRepair>) => void;
  /** A change is done, and with it the repairs. */
  readonly finish: () => void;
  readonly isRepeated: (asn: string) => boolean;
  /** Returns the states of a tunnel that is not known to run: what differs between them has to be changed. */
  readonly statesOf: (routed: RoutedPeering, kernel: Kernel) => InterfaceStates;
}

export function createTunnelRepairs(keys: Pick<TunnelKeys, "privateKeyOf">): TunnelRepairs {
  let planned: ReadonlyMap<string, TunnelRepair & { readonly routed: RoutedPeering }> = new Map();
  /** Before the first change of this process, the tunnels are those of an earlier process. */
  let hasChanged = false;

  function statesOf(routed: RoutedPeering, kernel: Kernel): InterfaceStates {
    const plan = planned.get(routed.peering.asn);
    // A change of the tunnel itself sets all of its values.
    const repair = plan && isSameRouted(plan.routed, routed) ? plan : null;
    const config = configFor(routed, keys.privateKeyOf(routed));
    const endpoint = movedEndpoint(tunnelIn(kernel, routed.peering.asn).state, routed);
    const isKept = endpoint !== null && (repair !== null || !hasChanged);
    const peers = isKept ? config.peers.map((peer) => ({ ...peer, endpoint })) : config.peers;
    const actual = readState(kernel, routed, keys, { ...config, peers });
    const desired = expectedState(routed, keys, { ...config, peers });
    return { actual: actual && repair ? withoutHeld(actual, desired, repair) : actual, desired };
  }

  return {
    plan: (tunnels, repairs) => {
      const added = Array.from(repairs).flatMap(([asn, repair]) => {
        const routed = tunnels.get(asn);
        return routed ? [[asn, { ...repair, routed }] as const] : [];
      });
      planned = new Map([...planned, ...added]);
    },
    finish: () => {
      planned = new Map();
      hasChanged = true;
    },
    isRepeated: (asn) => planned.get(asn)?.isRepeated === true,
    statesOf,
  };
}

/** Returns the actual state with the desired values in place of those that are left as they are. */
function withoutHeld(
  actual: InterfaceState,
  desired: InterfaceState,
  { held }: TunnelRepair,
): InterfaceState {
  const { addresses, mtu, config, privateKey } = desired;
  return {
    ...actual,
    ...(held.has("addresses") && { addresses }),
    ...(held.has("mtu") && { mtu }),
    ...((held.has("wireguard") || held.has("endpoint")) && { config, privateKey }),
    ...(held.has("settings") && { hasWrongSettings: false }),
  };
}
