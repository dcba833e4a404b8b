import { chakra } from "@chakra-ui/react/styled-system";
import type { Map as LeafletMap } from "leaflet";
import "leaflet/dist/leaflet.css";
import { useEffect, useMemo, useState } from "react";
import { MapContainer, Pane, Polygon, Polyline, TileLayer } from "react-leaflet";
import { isPlaced, type PlacedNode, useNodeHost, useProvider } from "../../api/provider.ts";
import { unknownWord } from "../../ui/feedback/status-bubble.tsx";
import { DeferredRender } from "../../ui/layout/first-paint.tsx";
import {
  areVisibleAtStart,
  continents,
  curveBetween,
  initialCentre,
  initialZoom,
  maxLongitude,
} from "./geometry.ts";
import { isUp, type Link, linkKey, linkSummary } from "./node-links.ts";
import { boundsOf, fitOptions, MapControls } from "./map-controls.tsx";
import { isMotionAllowed } from "./motion.ts";
import { markerState, type NodeStates } from "./node-facts.ts";
import { NodeMarker } from "./node-marker.tsx";
import { NodePopup } from "./node-popup.tsx";

export interface MapCanvasProps {
  /** Undefined until they are loaded. */
  readonly links: readonly Link[] | undefined;
  /** True when the last load failed: `links` are the last known ones, if any. */
  readonly isOutdated: boolean;
  readonly states: NodeStates;
  readonly selected: string | null;
  /** On touch screens one finger scrolls the page instead of the map. */
  readonly isTouch: boolean;
  readonly onToggle: (node: string) => void;
  readonly onClose: () => void;
}

/** The Leaflet map. It fills its parent element. */
export function MapCanvas({
  links,
  isOutdated,
  states,
  selected,
  isTouch,
  onToggle,
  onClose,
}: MapCanvasProps) {
  const provider = useProvider();
  const nodes = provider.nodes.filter(isPlaced);
  const hostOf = useNodeHost();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [map, setMap] = useState<LeafletMap | null>(null);
  const size = useInitialSize(frame, map);
  const [isAnimated] = useState(isMotionAllowed);
  const openNode = nodes.find(({ name }) => name === selected);
  useWheelZoomOnFocus(map);
  const summaryOf = (node: PlacedNode) => {
    if (!links) return isOutdated ? "Links unknown" : "Loading links…";
    return isOutdated ? `${linkSummary(node, links)}, last known` : linkSummary(node, links);
  };

  const labelOf = ({ name, place }: PlacedNode) => {
    const state = states.rows.find((row) => row.name === name)?.state ?? null;
    const described = state === unknownWord ? "State unknown" : state;
    return [[hostOf(name), place].filter(Boolean).join(", "), described].filter(Boolean).join(". ");
  };

  return (
    <chakra.div ref={setFrame} height="full">
      {map && <MapControls map={map} nodes={nodes} />}
      {size && (
        <MapContainer
          ref={setMap}
          {...(areVisibleAtStart(nodes, size)
            ? { center: [initialCentre.lat, initialCentre.lon], zoom: initialZoom }
            : { bounds: boundsOf(nodes), boundsOptions: fitOptions })}
          minZoom={0}
          maxZoom={12}
          // Quarter steps keep the nodes apart on small screens.
          zoomSnap={0.25}
          // The ResizeObserver below reacts at once; after the window's event the map would be blank for a moment.
          trackResize={false}
          maxBounds={[
            [-90, -maxLongitude],
            [90, maxLongitude],
          ]}
          zoomControl={false}
          attributionControl={false}
          scrollWheelZoom={false}
          dragging={!isTouch}
          zoomAnimation={isAnimated}
          fadeAnimation={isAnimated}
          markerZoomAnimation={isAnimated}
          inertia={isAnimated}
        >
          {/* Leaflet draws a layer synchronously, and this is the largest. */}
          <DeferredRender>
            <WorldOutline />
          </DeferredRender>
          {provider.map.tiles !== "" && (
            // Our pages send no referrer, but tile services require one: send the origin without the path.
            <TileLayer url={provider.map.tiles} referrerPolicy="strict-origin" detectRetina />
          )}
          {links?.map((link) => (
            <LinkLine key={linkKey(link)} link={link} />
          ))}
          {nodes.map((node) => (
            <NodeMarker
              key={node.name}
              node={node}
              label={`${labelOf(node)}. ${summaryOf(node)}.`}
              state={markerState(node.name, states)}
              isSelected={node === openNode}
              onToggle={onToggle}
            />
          ))}
          {openNode && (
            <NodePopup
              key={openNode.name}
              node={openNode}
              links={links ?? []}
              linkSummary={summaryOf(openNode)}
              states={states}
              onClose={onClose}
            />
          )}
        </MapContainer>
      )}
    </chakra.div>
  );
}

/** Lets the wheel zoom the map only while the map has the focus, for example after a click. */
function useWheelZoomOnFocus(map: LeafletMap | null): void {
  useEffect(() => {
    const container = map?.getContainer();
    if (!map || !container) return;
    container.setAttribute("role", "group");
    container.setAttribute("aria-label", "Map. Arrow keys move it, plus and minus zoom.");
    const enable = () => map.scrollWheelZoom.enable();
    const disable = () => map.scrollWheelZoom.disable();
    container.addEventListener("focus", enable);
    container.addEventListener("blur", disable);
    return () => {
      container.removeEventListener("focus", enable);
      container.removeEventListener("blur", disable);
    };
  }, [map]);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the frame's first size; null on the first render, when the static shell still hides the app. */
function useInitialSize(frame: HTMLDivElement | null, map: LeafletMap | null): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!frame) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = frame;
      if (height > 0) setSize((known) => known ?? { width, height });
      map?.invalidateSize({ animate: false });
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame, map]);
  return size;
}

const weight = 2;
const dashes = "10,10";
/** In pixels: the line with an edge, which has the contrast that tiles may not have. */
const casingWeight = 5;

/** A solid line with moving dashes for a link that is up, a dashed line otherwise. */
export function LinkLine({ link }: { readonly link: Link }) {
  const { from, to } = link;
  const positions = useMemo(
    () => (isPlaced(from) && isPlaced(to) ? curveBetween(from, to) : null),
    [from, to],
  );
  if (positions === null) return null;
  const shape = { positions, weight, interactive: false, smoothFactor: 0.5 };
  const casing = <Polyline {...shape} className="link-casing" weight={casingWeight} />;
  if (!isUp(link)) {
    return (
      <>
        {casing}
        <Polyline key="down" {...shape} className="link-down" dashArray={dashes} />
      </>
    );
  }
  return (
    <>
      {casing}
      <Polyline key="up" {...shape} className="link-up" />
      <Polyline {...shape} className="link-flow" dashArray={dashes} lineCap="butt" />
    </>
  );
}

/** The world and a copy on each side, as the tiles repeat it. Points are `[lat, lon]`. */
function worldCopies(): Array<Array<Array<[lat: number, lon: number]>>> {
  const world = continents();
  return [-360, 0, 360].flatMap((shift) =>
    world.map((rings) =>
      rings.map((ring) => ring.map(([lon = 0, lat = 0]): [number, number] => [lat, lon + shift])),
    ),
  );
}

/** The land below the tiles, so that the map is not blank without them. */
export function WorldOutline() {
  const [positions] = useState(worldCopies);
  return (
    <Pane name="outline" style={{ zIndex: 150 }}>
      <Polygon positions={positions} interactive={false} className="land" weight={1} />
    </Pane>
  );
}
