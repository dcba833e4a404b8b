import "leaflet/dist/leaflet.css";
import { chakra } from "@chakra-ui/react/styled-system";
import type { Map as LeafletMap } from "leaflet";
import { useEffect, useState } from "react";
import { MapContainer, TileLayer } from "react-leaflet";
import { useProvider } from "../../api/provider.ts";
import { Later } from "../../ui/later.tsx";
import { LinkLine } from "./link-line.tsx";
import { type Link, linkKey, linkSummary, type MapNode } from "./links.ts";
import { MapControls } from "./map-controls.tsx";
import { motionAllowed } from "./motion.ts";
import { NodeMarker } from "./node-marker.tsx";
import { NodePopup } from "./node-popup.tsx";
import { WorldOutline } from "./world-outline.tsx";

const centre: [lat: number, lon: number] = [20, 0];
const zoom = 2;

export interface DrawnMapProps {
  /** Undefined while nothing is known of them. */
  readonly links: readonly Link[] | undefined;
  /** Whether the links are only the last known, or failed to load at all. */
  readonly outdated: boolean;
  readonly chosen: string | null;
  /** Whether one finger is to scroll the page. */
  readonly touch: boolean;
  readonly onToggle: (node: string) => void;
  readonly onClose: () => void;
}

/** What Leaflet draws; it fills the element around it. */
export function DrawnMap({ links, outdated, chosen, touch, onToggle, onClose }: DrawnMapProps) {
  const { nodes, domain, map: service } = useProvider();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [map, setMap] = useState<LeafletMap | null>(null);
  const laidOut = useLaidOut(frame, map);
  const [moving] = useState(motionAllowed);
  const open = nodes.find(({ name }) => name === chosen);
  useMapFocus(map);
  const summaryOf = (node: MapNode) => {
    if (!links) return outdated ? "Links not known" : "Loading links…";
    return outdated ? `${linkSummary(node, links)}, last known` : linkSummary(node, links);
  };

  return (
    <chakra.div ref={setFrame} height="full">
      {map && <MapControls map={map} nodes={nodes} />}
      {laidOut && (
        <MapContainer
          ref={setMap}
          center={centre}
          zoom={zoom}
          minZoom={0}
          maxZoom={12}
          // Half a step lets all nodes of a small screen stand apart.
          zoomSnap={0.5}
          // The observer of the frame tells at once; the window's event would leave the map blank for a while.
          trackResize={false}
          maxBounds={[
            [-90, -270],
            [90, 270],
          ]}
          zoomControl={false}
          attributionControl={false}
          scrollWheelZoom={false}
          dragging={!touch}
          zoomAnimation={moving}
          fadeAnimation={moving}
          markerZoomAnimation={moving}
          inertia={moving}
        >
          {/* Leaflet lays a layer out at once, and this is the largest. */}
          <Later>
            <WorldOutline />
          </Later>
          {service.tiles !== "" && (
            // Pages send no referrer, and tile services want to know who asks: the origin, and no path.
            <TileLayer url={service.tiles} referrerPolicy="strict-origin" detectRetina />
          )}
          {links?.map((link) => (
            <LinkLine key={linkKey(link)} link={link} />
          ))}
          {nodes.map((node) => (
            <NodeMarker
              key={node.name}
              node={node}
              label={`${node.name}.${domain}, ${node.place}. ${summaryOf(node)}.`}
              chosen={node === open}
              onToggle={onToggle}
            />
          ))}
          {open && <NodePopup key={open.name} node={open} summary={summaryOf(open)} onClose={onClose} />}
        </MapContainer>
      )}
    </chakra.div>
  );
}

/** The wheel scrolls the page until the map has the focus, which a click on it gives. */
function useMapFocus(map: LeafletMap | null): void {
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

/** Whether there is room for a map yet: the static shell still hides the app when it first renders. */
function useLaidOut(frame: HTMLDivElement | null, map: LeafletMap | null): boolean {
  const [laidOut, setLaidOut] = useState(false);
  useEffect(() => {
    if (!frame) return;
    const observer = new ResizeObserver(() => {
      if (frame.clientHeight > 0) setLaidOut(true);
      map?.invalidateSize({ animate: false });
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame, map]);
  return laidOut;
}
