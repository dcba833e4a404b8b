import type { Rows } from "../row.ts";

/** Leaflet draws the map, for which jsdom lacks layout. */
export const mapRows = {
  2: {
    "map-start":
      "World map, initial centre latitude 20, longitude 0, zoom 2; each node has a router marker: syd01, per01, sin01, de01, ny01, za01; GET /api/mapVPNStatus (public) none: list of {from, to, status} (Reading: The list is the provider's.)",
    "map-redrawn": "Lines are redrawn when the data changes.",
  },
  3: {
    "map-node": "Node (map): name, lat, lon; a popup showing the node name",
    "map-other":
      "Connection (VPN status): from, to (node names), status ('up' or other); otherwise red dashed, line weight 2",
  },
  4: {
    "map-up":
      "Curved lines join nodes that have a connection; up is animated green solid, line weight 2, curve about 18 degrees, animated dash pattern 10,10 stepping every 50 ms (Reading: A solid line with dashes moving over it, by a pixel: 20 steps a second of an animation in CSS. The angle is between the curve and the straight line, at both ends.)",
  },
  7: {
    "map-tiles":
      "Map tiles come from a public tile service. (Reading: The service in the provider's profile; without one the app draws the world's outline.)",
    "map-failed": "mapVPNStatus: failure only logged (Reading: A message above the map offers to retry.)",
  },
} as const satisfies Rows;
