import type { Provider } from "../contract/entities.ts";
import type { NodeIdentity, PeeringContext } from "../domain/peering-rules.ts";

export const provider: Provider = {
  name: "Example Transit",
  domain: "dn42.example.net",
  asn: "4242422227",
  demo: true,
  nodes: [
    { name: "syd01", place: "Sydney, Australia", lat: -33.87, lon: 151.21 },
    { name: "per01", place: "Perth, Australia", lat: -31.95, lon: 115.86 },
    { name: "sin01", place: "Singapore", lat: 1.35, lon: 103.82 },
    { name: "de01", place: "Frankfurt, Germany", lat: 50.11, lon: 8.68 },
    { name: "ny01", place: "New York, United States", lat: 40.71, lon: -74.01 },
    { name: "za01", place: "Johannesburg, South Africa", lat: -26.2, lon: 28.05 },
  ],
  resolver: "172.20.129.2",
  looking_glass: "https://lg.dn42.example.net/",
  status_page: "",
  map: { tiles: "", attribution: "", attribution_url: "" },
  dashboards: { node_cpu: "", node_memory: "", interface: "", total_routes: "" },
};

const nodePublicKey = "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=";

/** The provider's side of every peering on a node; addresses follow its place in the list. */
export function nodeIdentity(name: string): NodeIdentity {
  const index = provider.nodes.findIndex((node) => node.name === name) + 1;
  return {
    endpoints: [`${name}.${provider.domain}`, `203.0.113.${index}`],
    tunnelIpv4: `172.20.129.${index + 16}`,
    linkLocal: `fe80::2227:${index}`,
    publicKey: nodePublicKey,
  };
}

/** What the rules for a participant's values need to know; documentation addresses pass, as in a lab. */
export function peeringContext(asn: string, node: string): PeeringContext {
  return {
    asn,
    node: nodeIdentity(node),
    providerEndpoints: provider.nodes.flatMap(({ name }) => nodeIdentity(name).endpoints),
    providerPrefixes: [],
    allowDocumentation: true,
  };
}
