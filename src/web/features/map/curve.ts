/** Latitude and longitude in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Between a curve and the straight line, at both ends of it. */
const bend = (18 * Math.PI) / 180;
const pieces = 16;

/**
 * The line of a link: a quadratic curve that leaves both ends at 18° to the straight line, measured as it is
 * drawn, in Web Mercator. It bends towards the nearer pole, as the shortest way over the globe does, so that it is
 * the same in both directions. It never crosses the edge of the map: nobody would see where it comes back.
 *
 * @returns points `[lat, lon]` from the first place to the second, both included.
 */
export function curveBetween(from: Place, to: Place): Array<[lat: number, lon: number]> {
  const [x1, y1] = project(from);
  const [x2, y2] = project(to);
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2] as const;
  const side = (y1 + y2 >= 0 ? 1 : -1) * (x2 >= x1 ? 1 : -1);
  const height = (Math.tan(bend) / 2) * side;
  const control = [middle[0] - (y2 - y1) * height, middle[1] + (x2 - x1) * height] as const;
  return Array.from({ length: pieces + 1 }, (_, piece) => {
    const t = piece / pieces;
    const along = (a: number, c: number, b: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * c + t ** 2 * b;
    return unproject(along(x1, control[0], x2), along(y1, control[1], y2));
  });
}

function project({ lat, lon }: Place): readonly [x: number, y: number] {
  // Where the square map of the world ends.
  const shown = Math.max(-85, Math.min(85, lat));
  return [lon, (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (shown * Math.PI) / 360))];
}

function unproject(x: number, y: number): [lat: number, lon: number] {
  return [(360 / Math.PI) * Math.atan(Math.exp((y * Math.PI) / 180)) - 90, x];
}
