import type { RoutedPeering } from "../router.ts";
import { type Link, tunnelAddresses, tunnelMtu } from "./addresses.ts";
import { type Kernel, tunnelIn } from "./kernel-state.ts";
import type { NodeKey } from "./node-key.ts";
import { configFor, renderConfig } from "./render.ts";
import { configOf } from "./tunnel-state.ts";

/** The state of a tunnel's interface, desired or actual. */
export interface InterfaceState extends Link {
  readonly config: string;
  readonly hasWrongSettings: boolean;
}

export interface InterfaceStates {
  /** Undefined without an interface. */
  readonly actual: InterfaceState | undefined;
  readonly desired: InterfaceState;
}

/** @param config another configuration than the peering's */
export function expectedState(
  routed: RoutedPeering,
  { privateKey }: NodeKey,
  config = configFor(routed, privateKey),
): InterfaceState {
  return {
    config: renderConfig(config),
    mtu: tunnelMtu(routed.peering),
    addresses: tunnelAddresses(routed.peering),
    up: true,
    hasWrongSettings: false,
  };
}

/** Returns the state of a tunnel in the kernel, to be compared with this configuration; undefined without its interface. */
export function readState(
  kernel: Kernel,
  routed: RoutedPeering,
  { privateKey }: NodeKey,
  config = configFor(routed, privateKey),
): InterfaceState | undefined {
  const { link, state, hasWrongSettings } = tunnelIn(kernel, routed.peering.asn);
  return link && { ...link, config: configOf(state, config), hasWrongSettings };
}
