import type { Peering } from "../../contract/agent.ts";
import type { RoutedPeering } from "./router.ts";

/** Returns the endpoint as `wg` prints it: `192.0.2.1:51820` or `[2001:db8::1]:51820`. */
export function endpointOf({ peering, endpointAddress }: RoutedPeering): string {
  const host = endpointAddress.includes(":") ? `[${endpointAddress}]` : endpointAddress;
  return `${host}:${peering.endpointPort}`;
}

/** Reports whether both are absent, or equal in every field. An optional field may be absent from one of them. */
export function isSamePeering(a: Peering | null, b: Peering | null): boolean {
  if (a === null || b === null) return a === b;
  const keys = [...Object.keys(a), ...Object.keys(b)] as Array<keyof Peering>;
  return keys.every((key) => a[key] === b[key]);
}
