import type { RoutedPeering } from "../router.ts";
import { type Link, tunnelAddresses, tunnelMtu } from "./addresses.ts";
import { type Kernel, tunnelIn } from "./kernel-state.ts";
import { configFor, renderConfig } from "./render.ts";
import type { TunnelKeys } from "./tunnel-keys.ts";
import { configOf } from "./tunnel-state.ts";

/** The state of a tunnel's interface, desired or actual. */
export interface InterfaceState extends Link {
  readonly config: string;
  readonly privateKey: string | undefined;
  readonly hasWrongSettings: boolean;
}

export interface InterfaceStates {
  /** Undefined without an interface. */
  readonly actual: InterfaceState | undefined;
  readonly desired: InterfaceState;
}

type PrivateKeys = Pick<TunnelKeys, "privateKeyOf">;

/** @param config another configuration than the peering's */
export function expectedState(
  routed: RoutedPeering,
  keys: PrivateKeys,
  config = configFor(routed, keys.privateKeyOf(routed)),
): InterfaceState {
  return {
    config: renderConfig(config),
    privateKey: config.privateKey,
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
  keys: PrivateKeys,
  config = configFor(routed, keys.privateKeyOf(routed)),
): InterfaceState | undefined {
  const { link, state, hasWrongSettings } = tunnelIn(kernel, routed.peering.asn);
  return (
    link && { ...link, config: configOf(state, config), privateKey: state?.privateKey, hasWrongSettings }
  );
}
