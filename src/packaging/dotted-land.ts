/**
 * The land as rows of dots for the picture on Home, computed when the app is built, from the outline that the map has
 * (Natural Earth, public domain). The page would otherwise load 55 kB of outline to draw it.
 */
import { readFileSync } from "node:fs";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Plugin } from "vite";

const moduleId = "virtual:dotted-land";
const resolvedId = `\0${moduleId}`;

/** Degrees between two dots. */
const step = 3;
const north = 75;
const south = -56;

/** `import { landRows } from "virtual:dotted-land"`: the path of the dots in degrees; y is the latitude, southwards. */
export function dottedLand(): Plugin {
  let code: string | null = null;
  return {
    name: "peerdeck:dotted-land",
    resolveId: (id) => (id === moduleId ? resolvedId : null),
    load(id) {
      if (id !== resolvedId) return null;
      code ??= `export const landRows = ${JSON.stringify(drawRows(readLand()))};`;
      return code;
    },
  };
}

type Ring = ReadonlyArray<readonly number[]>;

/** Every polygon's rings, outer ones and holes: a point is on land if it is inside an odd number of them. */
function readLand(): readonly Ring[] {
  const file = new URL("../../node_modules/world-atlas/land-110m.json", import.meta.url);
  const topology = JSON.parse(readFileSync(file, "utf8")) as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
    if (geometry.type === "Polygon") return geometry.coordinates;
    return geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : [];
  });
}

/** A line for each run of dots. Drawn with round caps and a dash of length 0, it shows the dots. */
function drawRows(rings: readonly Ring[]): string {
  const runs: string[] = [];
  for (let lat = north; lat >= south; lat -= step) {
    let start: number | null = null;
    let end: number | null = null;
    for (let lon = -180; lon <= 180; lon += step) {
      const isLand = lon < 180 && isInside(rings, lon, lat);
      if (isLand) start ??= lon;
      else if (start !== null) {
        // A little longer than to the last dot, or rounding would lose it.
        const length = lon - start - step + 0.1;
        // From the end of the row's last run: distances repeat, and are compressed better than longitudes.
        const move: string = end === null ? `M${start} ${-lat}` : `m${(start - end).toFixed(1)} 0`;
        runs.push(`${move}h${length}`);
        end = start + length;
        start = null;
      }
    }
  }
  return runs.join("");
}

function isInside(rings: readonly Ring[], lon: number, lat: number): boolean {
  let isInsideNow = false;
  for (const ring of rings) {
    for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring[(index + 1) % ring.length] ?? [];
      if (y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1)
        isInsideNow = !isInsideNow;
    }
  }
  return isInsideNow;
}
