import type { Provider } from "../entities.ts";

/**
 * The profile of a server that publishes none: the constants of the specification (sections 1, 2 and 9). Its map is one
 * of a public tile service.
 *
 * @param host the host of the app, from which the provider's name and domain are taken. An IP address is no domain.
 */
export function createDefaultProvider(host: string): Provider {
  const domain = domainOf(host);
  return {
    name: domain || host,
    domain,
    asn: "4242422227",
    public_url: "",
    demo: false,
    nodes: [
      { name: "syd01", place: "Sydney, Australia", lat: -33.87, lon: 151.21 },
      { name: "per01", place: "Perth, Australia", lat: -31.95, lon: 115.86 },
      { name: "sin01", place: "Singapore", lat: 1.35, lon: 103.82 },
      { name: "de01", place: "Frankfurt, Germany", lat: 50.11, lon: 8.68 },
      { name: "ny01", place: "New York, United States", lat: 40.71, lon: -74.01 },
      { name: "za01", place: "Johannesburg, South Africa", lat: -26.2, lon: 28.05 },
    ],
    resolver: "",
    looking_glass: "",
    status_page: "",
    map: {
      tiles: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
      attribution: "© OpenStreetMap contributors",
      attribution_url: "https://www.openstreetmap.org/copyright",
    },
    dashboards: { node_cpu: "", node_memory: "", interface: "", total_routes: "" },
    options: [],
    ways_in: [],
  };
}

/** "peering.example.net" → "example.net". A name of two labels is a domain itself. */
function domainOf(host: string): string {
  const labels = host.split(".");
  const isName = labels.length > 1 && /^[a-z]/i.test(labels.at(-1) ?? "");
  if (!isName) return "";
  return labels.slice(labels.length > 2 ? 1 : 0).join(".");
}
