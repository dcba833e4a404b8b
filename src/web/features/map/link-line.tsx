import { useMemo } from "react";
import { Polyline } from "react-leaflet";
import { curveBetween } from "./curve.ts";
import { isUp, type Link } from "./links.ts";

const weight = 2;
const dashes = "10,10";

/** Solid where the link is up, with dashes that move along it; dashed and still where it is not. */
export function LinkLine({ link }: { readonly link: Link }) {
  const { from, to } = link;
  const positions = useMemo(() => curveBetween(from, to), [from, to]);
  const shape = { positions, weight, interactive: false, smoothFactor: 0.5 };
  if (!isUp(link)) return <Polyline key="down" {...shape} className="link-down" dashArray={dashes} />;
  return (
    <>
      <Polyline key="up" {...shape} className="link-up" />
      <Polyline {...shape} className="link-flow" dashArray={dashes} lineCap="butt" />
    </>
  );
}
