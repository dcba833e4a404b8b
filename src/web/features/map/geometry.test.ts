import { expect, test } from "vitest";
import { areVisibleAtStart, continents, curveBetween, unroll, zoomWithMargins } from "./geometry.ts";

const frankfurt = { lat: 50.11, lon: 8.68 };
const newYork = { lat: 40.71, lon: -74.01 };
const perth = { lat: -31.95, lon: 115.86 };
const johannesburg = { lat: -26.2, lon: 28.05 };

/** Degrees between the line's first step and the straight line, as Web Mercator draws them; positive to the left. */
function bendAtStart(line: ReadonlyArray<readonly [number, number]>): number {
  const drawn = line.map(([lat, lon]) => [
    lon,
    (180 / Math.PI) * Math.atanh(Math.sin((lat * Math.PI) / 180)),
  ]);
  const angleTo = (index: number) => {
    const [x1 = 0, y1 = 0] = drawn[0] ?? [];
    const [x2 = 0, y2 = 0] = drawn.at(index) ?? [];
    return (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  };
  return angleTo(1) - angleTo(-1);
}

test.each([
  ["north of the equator to the north", newYork, frankfurt, 18],
  ["south of it to the south", johannesburg, perth, -18],
])("a line bends by about 18°, %s", (_, from, to, degrees) => {
  const line = curveBetween(from, to);
  expect(Math.abs(bendAtStart(line) - degrees)).toBeLessThan(1.2);
});

test("a line starts and ends at its nodes, and is the same in both directions", () => {
  const line = curveBetween(frankfurt, perth);
  for (const [point, { lat, lon }] of [
    [line[0], frankfurt],
    [line.at(-1), perth],
  ] as const) {
    expect(point?.[0]).toBeCloseTo(lat);
    expect(point?.[1]).toBeCloseTo(lon);
  }
  const back = curveBetween(perth, frankfurt).toReversed();
  for (const [index, [lat, lon]] of line.entries()) {
    expect(back[index]?.[0]).toBeCloseTo(lat);
    expect(back[index]?.[1]).toBeCloseTo(lon);
  }
});

test("a node at a pole is placed at the edge of the map", () => {
  expect(curveBetween({ lat: 90, lon: 0 }, frankfurt)[0]?.[0]).toBeCloseTo(85);
});

test("a ring across 180° continues instead of jumping back", () => {
  const ring = [
    [170, 60],
    [-170, 60],
    [-170, 50],
    [170, 50],
    [170, 60],
  ];
  expect(unroll(ring)).toEqual([
    [170, 60],
    [190, 60],
    [190, 50],
    [170, 50],
    [170, 60],
  ]);
});

test("a ring around the south pole is closed along the edge of the map", () => {
  const ring = [-120, 0, 120, -120].map((lon) => [lon, -70]);
  expect(unroll(ring)).toEqual([
    [-120, -70],
    [0, -70],
    [120, -70],
    [240, -70],
    [240, -90],
    [-120, -90],
    [-120, -70],
  ]);
});

test("no ring of the world jumps, except where Antarctica is closed", () => {
  const jumps = continents().flatMap((rings) =>
    rings.flatMap((ring) =>
      ring.flatMap(([lon = 0, lat = 0], index) => {
        const [before = lon] = ring[index - 1] ?? [];
        return Math.abs(lon - before) > 180 ? [lat] : [];
      }),
    ),
  );
  expect(continents().length).toBeGreaterThan(100);
  expect(jumps).toEqual([-90]);
});

test.each([
  // The world has 1024 pixels at zoom 2: Perth is 330 pixels to the right of the start's centre and 154 below it.
  ["a desktop", 1100, 480, true],
  ["both edges just reached", 2 * 330 + 36, 480, true],
  ["a pixel narrower", 2 * 330 + 34, 480, false],
  ["the lower edge just reached", 1100, 2 * 154 + 38, true],
  ["a frame that is less high", 1100, 2 * 154 + 34, false],
  ["a phone", 340, 350, false],
  ["a low frame", 1100, 240, false],
])("nodes are visible at the start: %s", (_, width, height, isVisible) => {
  expect(areVisibleAtStart([frankfurt, newYork, perth], { width, height })).toBe(isVisible);
});

test("a place has its margins in the map from a zoom on", () => {
  const margins = { above: 240, below: 72, beside: 150 };
  // The world has 256 pixels at zoom 0: Frankfurt is 87 below its top.
  expect(zoomWithMargins(frankfurt, margins, 0)).toBe(1.5);
  expect(zoomWithMargins(frankfurt, margins, 2)).toBe(2);
  expect(zoomWithMargins({ lat: 0, lon: -179 }, { above: 1, below: 1, beside: 150 }, 0)).toBe(1.25);
  expect(zoomWithMargins({ lat: -60, lon: 0 }, { above: 1, below: 150, beside: 1 }, 0)).toBe(1.25);
});
