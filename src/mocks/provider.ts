import type { Provider } from "../contract/entities.ts";

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

export const nodePublicKey = "tRiZIKgR5l0nK9e6Mv0Jt0r1Y3s8WqkQ2n4i6o8u0mI=";

/** The node's own tunnel addresses, which follow its place in the list. */
export function nodeAddresses(name: string): { readonly ipv4: string; readonly linkLocal: string } {
  const number = provider.nodes.findIndex((node) => node.name === name) + 1;
  return { ipv4: `172.20.129.${number + 16}`, linkLocal: `fe80::2227:${number}` };
}
