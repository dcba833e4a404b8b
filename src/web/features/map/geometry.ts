import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import land from "world-atlas/land-110m.json";

/** Latitude and longitude in degrees. */
export interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

/** Between the curve and the straight line at both ends, in radians. */
const bendAngle = (18 * Math.PI) / 180;
const segmentCount = 16;

/**
 * Returns the points of a link's line, from the first place to the second, both included. The line is a quadratic
 * curve that leaves both ends at 18° to the straight line, measured in Web Mercator. It bends towards the nearer pole,
 * as the shortest path on the globe does, so both directions give the same curve. It never crosses the edge of the
 * map, because the continuation on the other side would be hard to find.
 */
export function curveBetween(from: LatLon, to: LatLon): Array<[lat: number, lon: number]> {
  const [x1, y1] = project(from);
  const [x2, y2] = project(to);
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2] as const;
  const side = (y1 + y2 >= 0 ? 1 : -1) * (x2 >= x1 ? 1 : -1);
  const height = (Math.tan(bendAngle) / 2) * side;
  const control = [middle[0] - (y2 - y1) * height, middle[1] + (x2 - x1) * height] as const;
  return Array.from({ length: segmentCount + 1 }, (_, piece) => {
    const t = piece / segmentCount;
    const along = (a: number, c: number, b: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * c + t ** 2 * b;
    return unproject(along(x1, control[0], x2), along(y1, control[1], y2));
  });
}

/** The specification's start. */
export const initialCentre: LatLon = { lat: 20, lon: 0 };
export const initialZoom = 2;
/** Half of a marker, and a gap to the frame, in pixels. */
const markerMargin = 18;

/** Returns whether a map of this size shows all of these places at its start. */
export function areVisibleAtStart(
  places: readonly LatLon[],
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const [middleX, middleY] = project(initialCentre);
  const pixelsPerDegree = (256 * 2 ** initialZoom) / 360;
  return places.every((place) => {
    const [x, y] = project(place);
    return (
      Math.abs(x - middleX) * pixelsPerDegree <= width / 2 - markerMargin &&
      Math.abs(y - middleY) * pixelsPerDegree <= height / 2 - markerMargin
    );
  });
}

/** The map can be moved to these longitudes on both sides, half a world past its edges. */
export const maxLongitude = 270;

export interface Margins {
  readonly above: number;
  readonly below: number;
  readonly beside: number;
}

/**
 * Returns the lowest zoom, from the present one in steps of a quarter, at which a place can have these margins in pixels
 * to the map's end on each side. A map cannot be moved past its end, so at a low zoom a popup would be cut off.
 */
export function zoomWithMargins(place: LatLon, { above, below, beside }: Margins, zoom: number): number {
  const [x, y] = project(place);
  const pixelsPerDegree = Math.max(
    above / (180 - y),
    below / (180 + y),
    beside / (maxLongitude - Math.abs(x)),
  );
  const needed = Math.log2((pixelsPerDegree * 360) / 256);
  return Math.max(zoom, Math.ceil(needed * 4) / 4);
}

function project({ lat, lon }: LatLon): readonly [x: number, y: number] {
  // The square Web Mercator map ends at about 85°.
  const shown = Math.max(-85, Math.min(85, lat));
  return [lon, (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (shown * Math.PI) / 360))];
}

function unproject(x: number, y: number): [lat: number, lon: number] {
  return [(360 / Math.PI) * Math.atan(Math.exp((y * Math.PI) / 180)) - 90, x];
}

/** `[lon, lat]` in degrees. */
type Position = number[];

/**
 * Returns the world's land as rings of `[lon, lat]`. The data ships with the app (Natural Earth, public domain). Its
 * rings jump back at 180°; the returned ones continue past it, so that a flat map can draw them.
 */
export function continents(): readonly Position[][][] {
  const topology = land as unknown as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === "Polygon") return [geometry.coordinates.map(unroll)];
    return geometry.type === "MultiPolygon" ? geometry.coordinates.map((rings) => rings.map(unroll)) : [];
  });
}

/** Returns a ring without jumps at 180°. A ring around a pole is closed along the edge of the map. */
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
