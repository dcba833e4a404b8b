/** Round trips of the demo, from the places of its nodes and of the participants. */
import { between, seeded } from "../agent/drivers/simulated/seed.ts";

interface Place {
  readonly lat: number;
  readonly lon: number;
}

interface PlacedNode extends Place {
  readonly name: string;
}

export interface Distances {
  /** The round trip between two nodes in milliseconds. */
  readonly betweenNodes: (from: string, to: string) => number;
  /** The round trip between a node and the endpoint of a participant in milliseconds. */
  readonly toEndpoint: (node: string, endpoint: string) => number;
}

/** Where participants are: cities of the regions in which the network has many. */
const homes: readonly Place[] = [
  { lat: 52.37, lon: 4.9 },
  { lat: 48.14, lon: 11.58 },
  { lat: 59.33, lon: 18.07 },
  { lat: 43.65, lon: -79.38 },
  { lat: 37.77, lon: -122.42 },
  { lat: -23.55, lon: -46.63 },
  { lat: 35.68, lon: 139.69 },
  { lat: 22.32, lon: 114.17 },
  { lat: 28.61, lon: 77.21 },
  { lat: -36.85, lon: 174.76 },
];

const earthRadiusKm = 6371;
/** Light in a fibre travels 200 km in a millisecond, and cables are longer than the great circle. */
const kmPerMs = 200;
const detour = 1.4;

export function createDistances(nodes: readonly PlacedNode[]): Distances {
  const placeOf = (name: string) => nodes.find((node) => node.name === name);
  return {
    betweenNodes: (from, to) => {
      const [a, b] = [placeOf(from), placeOf(to)];
      return a && b ? roundTripBetween(a, b) : 0;
    },
    toEndpoint: (name, endpoint) => {
      const node = placeOf(name);
      const home = homes[Math.floor(seeded("home", endpoint) * homes.length)];
      const lastMile = between(1, 6, "last mile", endpoint);
      return lastMile + (node && home ? roundTripBetween(node, home) : 0);
    },
  };
}

function roundTripBetween(a: Place, b: Place): number {
  const latitudes = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const longitudes = Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  const haversine = latitudes + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * longitudes;
  const km = 2 * earthRadiusKm * Math.asin(Math.sqrt(haversine));
  return 1 + (2 * detour * km) / kmPerMs;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
