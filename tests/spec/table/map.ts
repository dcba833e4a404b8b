import type { Row } from "./row.ts";

export const mapRows = [
  { id: "route-map", section: 2, says: "/map: public, main layout" },
  { id: "home-map-link", section: 2, says: "Home: a link to the map" },
  {
    id: "map-markers",
    section: 2,
    says: "Each node has a router marker: syd01, per01, sin01, de01, ny01, za01",
    reading: "The list is the provider's.",
  },
  { id: "map-popup", section: 2, says: "with a popup showing the node name" },
  {
    id: "map-up",
    section: 2,
    says: "'up' is green, solid and animated",
    reading: "A solid line with dashes moving over it.",
  },
  { id: "map-down", section: 2, says: "any other status is red and dashed" },
  { id: "map-redrawn", section: 2, says: "Lines are redrawn when the data changes." },
  { id: "map-weight", section: 9, says: "line weight 2; dash pattern 10,10" },
  {
    id: "map-step",
    section: 9,
    says: "stepping every 50 ms",
    reading: "20 steps a second of a CSS animation.",
  },
  {
    id: "map-tiles",
    section: 2,
    says: "zoom 2, centre latitude 20, longitude 0, tiles from a public map tile service",
  },
  { id: "call-map", section: 7, says: "GET /api/mapVPNStatus (public) none" },
] as const satisfies readonly Row[];
