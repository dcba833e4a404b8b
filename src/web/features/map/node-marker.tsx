import { divIcon, type Marker as LeafletMarker } from "leaflet";
import { useEffect, useEffectEvent, useRef } from "react";
import { Marker, useMap } from "react-leaflet";
import type { PlacedNode } from "./node-links.ts";
import { isMotionAllowed } from "./motion.ts";

const size = 30;

/** The router symbol of network diagrams: two arrows in, two arrows out. */
const icon = divIcon({
  className: "node",
  iconSize: [size, size],
  html: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M3.8 12h5.4M7 9.8 9.2 12 7 14.2M20.2 12h-5.4M17 9.8 14.8 12l2.2 2.2M12 9.6V4.2M9.8 6.4 12 4.2l2.2 2.2M12 14.4v5.4M9.8 17.6l2.2 2.2 2.2-2.2"/></svg>`,
});

export interface NodeMarkerProps {
  readonly node: PlacedNode;
  /** The name for screen readers. */
  readonly label: string;
  readonly isSelected: boolean;
  readonly onToggle: (node: string) => void;
}

export function NodeMarker({ node, label, isSelected, onToggle }: NodeMarkerProps) {
  const map = useMap();
  const marker = useRef<LeafletMarker>(null);
  const { name, lat, lon } = node;
  // A key can be pressed before the effects of the current render have run: always call the current handler.
  const toggle = useEffectEvent(() => onToggle(name));

  useEffect(() => {
    const element = marker.current?.getElement();
    element?.setAttribute("aria-label", label);
    element?.setAttribute("aria-expanded", String(isSelected));
    element?.classList.toggle("chosen", isSelected);
  }, [label, isSelected]);

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
      () => map.panInside([lat, lon], { padding: [size, size], animate: isMotionAllowed() }),
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
