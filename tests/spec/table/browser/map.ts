import type { Rows } from "../row.ts";

/** Leaflet draws the map, for which jsdom lacks layout. */
export const mapRows = {
  "map-start": {
    section: 2,
    says: "World map, initial centre latitude 20, longitude 0, zoom 2; each node has a router marker: syd01, per01, sin01, de01, ny01, za01; GET /api/mapVPNStatus (public) none: list of {from, to, status}",
    reading: "The list is the provider's.",
  },
  "map-tiles": {
    section: 7,
    says: "Map tiles come from a public tile service.",
    reading: "The service in the provider's profile; without one the app draws the world's outline.",
  },
  "map-node": { section: 3, says: "Node (map): name, lat, lon; a popup showing the node name" },
  "map-up": {
    section: 4,
    says: "Curved lines join nodes that have a connection; up is animated green solid, line weight 2, curve about 18 degrees, animated dash pattern 10,10 stepping every 50 ms",
    reading:
      "A solid line with dashes moving over it, by a pixel: 20 steps a second of an animation in CSS. The angle is between the curve and the straight line, at both ends.",
  },
  "map-other": {
    section: 3,
    says: "Connection (VPN status): from, to (node names), status ('up' or other); otherwise red dashed, line weight 2",
  },
  "map-redrawn": { section: 2, says: "Lines are redrawn when the data changes." },
  "map-failed": {
    section: 7,
    says: "mapVPNStatus: failure only logged",
    reading: "A message above the map offers to retry.",
  },
} as const satisfies Rows;
