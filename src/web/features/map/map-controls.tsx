import { chakra } from "@chakra-ui/react/styled-system";
import type { FitBoundsOptions, LatLngBoundsLiteral, Map as LeafletMap } from "leaflet";
import { Minus, Plus, Scan } from "lucide-react";
import { Button } from "../../ui/forms/button.tsx";
import type { PlacedNode } from "../../api/provider.ts";
import { isMotionAllowed } from "./motion.ts";

export interface MapControlsProps {
  readonly map: LeafletMap;
  readonly nodes: readonly PlacedNode[];
}

/** Keeps the markers out of the frame's edge, and out of the buttons below them. */
export const fitOptions: FitBoundsOptions = {
  paddingTopLeft: [28, 28],
  paddingBottomRight: [28, 60],
  maxZoom: 6,
};

export function boundsOf(nodes: readonly PlacedNode[]): LatLngBoundsLiteral {
  return nodes.map(({ lat, lon }) => [lat, lon]);
}

/** In one row at the bottom, so that a popup has room above it on a phone. */
export function MapControls({ map, nodes }: MapControlsProps) {
  const showAll = () => map.fitBounds(boundsOf(nodes), { ...fitOptions, animate: isMotionAllowed() });
  const zooms = [
    ["Zoom in", Plus, () => map.zoomIn()],
    ["Zoom out", Minus, () => map.zoomOut()],
  ] as const;
  return (
    <chakra.div
      position="absolute"
      zIndex="1"
      // Above the attribution.
      bottom={{ base: "6", md: "2.5" }}
      insetStart="2.5"
      display="flex"
      gap="1.5"
    >
      {zooms.map(([label, Icon, act]) => (
        <Button key={label} size="sm" aria-label={label} title={label} onClick={act}>
          <Icon size={16} aria-hidden />
        </Button>
      ))}
      <Button size="sm" aria-label="Show all nodes" onClick={showAll}>
        <Scan size={14} aria-hidden />
        All nodes
      </Button>
    </chakra.div>
  );
}
