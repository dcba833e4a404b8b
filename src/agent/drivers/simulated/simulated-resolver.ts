import type { Resolver } from "../../resolve/resolve-endpoint.ts";
import { isIpv6Only } from "./faults.ts";
import { seeded } from "./seed.ts";

/** The documentation networks of RFC 5737, which have no hosts. */
const networks = ["192.0.2", "198.51.100", "203.0.113"];

/** Names under `.invalid` have no address (RFC 6761); every other name has a constant one. */
export const simulatedResolver: Resolver = async (name) => {
  if (name.endsWith(".invalid")) return [];
  const ipv6 = isIpv6Only(name) ? [`2001:db8::${1 + Math.floor(seeded("ipv6", name) * 9999)}`] : [];
  const network = networks[Math.floor(seeded("network", name) * networks.length)];
  return [`${network}.${1 + Math.floor(seeded("host", name) * 254)}`, ...ipv6];
};
