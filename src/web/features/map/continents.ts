import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import land from "world-atlas/land-110m.json";

/** `[lon, lat]` in degrees. */
type Position = number[];

/**
 * The world's land as rings of `[lon, lat]`, shipped with the app (Natural Earth, public domain). The rings of the
 * source lie on a globe; here they go on past 180° instead of jumping back, so that a flat map can draw them.
 */
export function continents(): readonly Position[][][] {
  const topology = land as unknown as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === "Polygon") return [geometry.coordinates.map(unroll)];
    return geometry.type === "MultiPolygon" ? geometry.coordinates.map((rings) => rings.map(unroll)) : [];
  });
}

/** A ring without jumps. One that goes round a pole is closed along the map's edge. */
export function unroll(ring: readonly Position[]): Position[] {
  const flat: Position[] = [];
  let turns = 0;
  let previous = ring[0]?.[0] ?? 0;
  for (const [lon = 0, lat = 0] of ring) {
    turns -= Math.round((lon - previous) / 360);
    previous = lon;
    flat.push([lon + 360 * turns, lat]);
  }
  if (turns === 0) return flat;
  const [first = [], last = []] = [flat[0], flat.at(-1)];
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...flat, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}
