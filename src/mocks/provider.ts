import { createDefaultProvider } from "../contract/app/default-provider.ts";
import type { Provider } from "../contract/entities.ts";
import { peeringOptions } from "../domain/peering/fields/field-lists.ts";
import { nodeHost } from "../contract/node-host.ts";

/** The specification's nodes, and a provider that runs a demo with its own map. */
export const provider: Provider = {
  ...createDefaultProvider("peering.dn42.example.net"),
  name: "Example Transit",
  demo: true,
  resolver: "172.20.129.2",
  looking_glass: "https://lg.dn42.example.net/",
  options: [...peeringOptions],
  ways_in: ["ssh", "pgp", "kioubit", "passkey"],
  map: { tiles: "", attribution: "", attribution_url: "" },
};

/** The node's name as sentences contain it. */
export function hostOf(node: string): string {
  return nodeHost(node, provider.domain);
}

export const nodePublicKey = "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=";
/** The key to which tunnels of `MockState.rekeys` can be switched. */
export const nextNodePublicKey = "bmV4dCBwdWJsaWMga2V5IG9mIGV2ZXJ5IG5vZGUuLi4=";

/** The node's own tunnel addresses, which follow its place in the list. */
export function nodeAddresses(name: string): { readonly ipv4: string; readonly linkLocal: string } {
  const number = provider.nodes.findIndex((node) => node.name === name) + 1;
  return { ipv4: `172.20.129.${number + 16}`, linkLocal: `fe80::2227:${number}` };
}
