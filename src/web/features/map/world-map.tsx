import "leaflet/dist/leaflet.css";
import { chakra } from "@chakra-ui/react/styled-system";
import type { Map as LeafletMap } from "leaflet";
import { useEffect, useState } from "react";
import { MapContainer, TileLayer } from "react-leaflet";
import { useProvider } from "../../api/provider.ts";
import { ExternalLink } from "../../ui/link.tsx";
import { LinkLine } from "./link-line.tsx";
import { type Link, linkKey, linkSummary, type MapNode } from "./links.ts";
import { MapControls } from "./map-controls.tsx";
import { MapLegend } from "./map-legend.tsx";
import { mapStyles } from "./map-styles.ts";
import { motionAllowed } from "./motion.ts";
import { NodeMarker } from "./node-marker.tsx";
import { NodePopup } from "./node-popup.tsx";
import { WorldOutline } from "./world-outline.tsx";

const centre: [lat: number, lon: number] = [20, 0];
const zoom = 2;

export interface WorldMapProps {
  /** Undefined while nothing is known of them. */
  readonly links: readonly Link[] | undefined;
  /** Whether the links are only the last known, or failed to load at all. */
  readonly outdated: boolean;
  readonly chosen: string | null;
  readonly onToggle: (node: string) => void;
  readonly onClose: () => void;
}

export function WorldMap({ links, outdated, chosen, onToggle, onClose }: WorldMapProps) {
  const { nodes, domain, map: service } = useProvider();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [map, setMap] = useState<LeafletMap | null>(null);
  const laidOut = useLaidOut(frame, map);
  const [moving] = useState(motionAllowed);
  // Where fingers are what one has, one of them scrolls the page and two move the map.
  const [touch] = useState(() => window.matchMedia("(pointer: coarse)").matches);
  const open = nodes.find(({ name }) => name === chosen);
  useMapFocus(map);
  const summaryOf = (node: MapNode) => {
    if (!links) return outdated ? "Links not known" : "Loading links…";
    return outdated ? `${linkSummary(node, links)}, last known` : linkSummary(node, links);
  };

  return (
    <chakra.section
      aria-label="World map"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <chakra.div
        ref={setFrame}
        position="relative"
        height={{ base: "22rem", md: "27rem", lg: "30rem" }}
        css={mapStyles}
        data-outdated={outdated}
      >
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
            <WorldOutline />
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
        {service.tiles !== "" && service.attribution !== "" && (
          <chakra.p
            position="absolute"
            insetEnd="0"
            bottom="0"
            px="1.5"
            bg="bg.panel"
            borderTopStartRadius="sm"
            fontSize="xs"
          >
            {service.attribution_url === "" ? (
              service.attribution
            ) : (
              <ExternalLink href={service.attribution_url}>{service.attribution}</ExternalLink>
            )}
          </chakra.p>
        )}
      </chakra.div>
      <MapLegend touch={touch} />
    </chakra.section>
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
