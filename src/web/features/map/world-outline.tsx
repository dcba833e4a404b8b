import { Pane, Polygon } from "react-leaflet";
import { continents } from "./continents.ts";

/** The world and its copies on both sides, as tiles repeat it, each point `[lat, lon]`. */
const worlds = [-360, 0, 360].flatMap((shift) =>
  continents().map((rings) =>
    rings.map((ring) => ring.map(([lon = 0, lat = 0]): [number, number] => [lat, lon + shift])),
  ),
);

/** Lies below where tiles come: without them the map is not blank. */
export function WorldOutline() {
  return (
    <Pane name="outline" style={{ zIndex: 150 }}>
      <Polygon positions={worlds} interactive={false} className="land" weight={1} />
    </Pane>
  );
}
