import { divIcon, type Marker as LeafletMarker } from "leaflet";
import { useEffect, useEffectEvent, useRef } from "react";
import { Marker, useMap } from "react-leaflet";
import type { MarkerState } from "./node-facts.ts";
import type { PlacedNode } from "../../api/provider.ts";
import { isMotionAllowed } from "./motion.ts";

const size = 30;

/**
 * The router symbol of network diagrams: two arrows in, two arrows out. The styles select the badge by the state. All
 * states share the icon, because Leaflet resets the classes of a marker whose icon changes.
 */
const icon = divIcon({
  className: "node",
  iconSize: [size, size],
  html: `<svg viewBox="0 0 24 24" aria-hidden="true"><circle class="ground" cx="12" cy="12" r="11"/><path class="arrows" d="M3.8 12h5.4M7 9.8 9.2 12 7 14.2M20.2 12h-5.4M17 9.8 14.8 12l2.2 2.2M12 9.6V4.2M9.8 6.4 12 4.2l2.2 2.2M12 14.4v5.4M9.8 17.6l2.2 2.2 2.2-2.2"/><g class="badge"><circle cx="20.5" cy="3.5" r="5.5"/><path class="issues" d="M20.5 .8v3.2M20.5 6v.1"/><path class="unknown" d="M18.9 2.3a1.6 1.6 0 1 1 2.4 1.4c-.5.3-.8.6-.8 1M20.5 6.3v.1"/></g></svg>`,
});

export interface NodeMarkerProps {
  readonly node: PlacedNode;
  /** The name for screen readers. */
  readonly label: string;
  readonly state: MarkerState;
  readonly isSelected: boolean;
  readonly onToggle: (node: string) => void;
}

export function NodeMarker({ node, label, state, isSelected, onToggle }: NodeMarkerProps) {
  const map = useMap();
  const marker = useRef<LeafletMarker>(null);
  const { name, lat, lon } = node;
  // A key can be pressed before the effects of the current render have run: always call the current handler.
  const toggle = useEffectEvent(() => onToggle(name));

  useEffect(() => {
    const element = marker.current?.getElement();
    element?.setAttribute("aria-label", label);
    element?.setAttribute("aria-expanded", String(isSelected));
    element?.setAttribute("data-state", state ?? "");
    element?.classList.toggle("chosen", isSelected);
  }, [label, state, isSelected]);

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
