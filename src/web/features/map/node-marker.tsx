import { divIcon, type Marker as LeafletMarker } from "leaflet";
import { useEffect, useEffectEvent, useRef } from "react";
import { Marker, useMap } from "react-leaflet";
import type { MapNode } from "./links.ts";
import { motionAllowed } from "./motion.ts";

const size = 30;

/** A router as network diagrams draw it: two arrows in, two arrows out. */
const icon = divIcon({
  className: "node",
  iconSize: [size, size],
  html: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M3.8 12h5.4M7 9.8 9.2 12 7 14.2M20.2 12h-5.4M17 9.8 14.8 12l2.2 2.2M12 9.6V4.2M9.8 6.4 12 4.2l2.2 2.2M12 14.4v5.4M9.8 17.6l2.2 2.2 2.2-2.2"/></svg>`,
});

export interface NodeMarkerProps {
  readonly node: MapNode;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly chosen: boolean;
  readonly onToggle: (node: string) => void;
}

export function NodeMarker({ node, label, chosen, onToggle }: NodeMarkerProps) {
  const map = useMap();
  const marker = useRef<LeafletMarker>(null);
  const { name, lat, lon } = node;
  // Whoever is quick presses a key before effects have run for what they see.
  const toggle = useEffectEvent(() => onToggle(name));

  useEffect(() => {
    const element = marker.current?.getElement();
    element?.setAttribute("aria-label", label);
    element?.setAttribute("aria-expanded", String(chosen));
    element?.classList.toggle("chosen", chosen);
  }, [label, chosen]);

  useEffect(() => {
    const element = marker.current?.getElement();
    const listening = new AbortController();
    const { signal } = listening;
    element?.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        toggle();
      },
      { signal },
    );
    element?.addEventListener(
      "focus",
      () => map.panInside([lat, lon], { padding: [size, size], animate: motionAllowed() }),
      { signal },
    );
    return () => listening.abort();
  }, [map, lat, lon]);

  return (
    <Marker
      ref={marker}
      position={[lat, lon]}
      icon={icon}
      autoPanOnFocus={false}
      eventHandlers={{ click: () => onToggle(name) }}
    />
  );
}
