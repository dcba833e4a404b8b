import { expect, test } from "vitest";
import { continents, unroll } from "./continents.ts";

test("a ring across 180° goes on instead of jumping back", () => {
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

test("a ring round the south pole is closed along the edge of the map", () => {
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

test("no ring of the world jumps, but where Antarctica is closed", () => {
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
