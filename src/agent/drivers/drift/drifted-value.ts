import type { Finding } from "#domain/findings/findings.ts";

/** What the agent sets of a tunnel, in parts that are repaired independently. `link`: that the interface exists and is up. */
export const tunnelValues = ["link", "addresses", "mtu", "wireguard", "endpoint", "settings"] as const;
export type TunnelValue = (typeof tunnelValues)[number];

/** A value of the router that the agent set, and that differs. */
export interface DriftedValue {
  readonly value: TunnelValue | "node-address" | "packet-filter" | "bird";
  /** The interface, or the node's address; empty for a value that a node has once. */
  readonly name: string;
}

/** How many names a finding has at most. */
export const maxNames = 20;

/** Returns a finding for each kind of value, however many tunnels have it. */
export function describeContested(values: readonly DriftedValue[]): readonly Finding[] {
  return Array.from(
    Map.groupBy(values, ({ value }) => value),
    ([value, ofKind]) => ({
      code: "value-contested",
      facts: {
        value,
        names: ofKind.flatMap(({ name }) => (name === "" ? [] : name)).slice(0, maxNames),
        count: ofKind.length,
      },
    }),
  );
}
