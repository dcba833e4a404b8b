import { chakra } from "@chakra-ui/react/styled-system";
import type { Map as LeafletMap } from "leaflet";
import { Minus, Plus, Scan } from "lucide-react";
import { Button } from "../../ui/forms/button.tsx";
import type { PlacedNode } from "./node-links.ts";
import { isMotionAllowed } from "./motion.ts";

export interface MapControlsProps {
  readonly map: LeafletMap;
  readonly nodes: readonly PlacedNode[];
}

export function MapControls({ map, nodes }: MapControlsProps) {
  const showAll = () =>
    map.fitBounds(
      nodes.map(({ lat, lon }) => [lat, lon]),
      { padding: [24, 24], maxZoom: 6, animate: isMotionAllowed() },
    );
  const zooms = [
    ["Zoom in", Plus, () => map.zoomIn()],
    ["Zoom out", Minus, () => map.zoomOut()],
  ] as const;
  return (
    <>
      <chakra.div position="absolute" zIndex="1" top="2.5" insetStart="2.5" display="grid" gap="1.5">
        {zooms.map(([label, Icon, act]) => (
          <Button key={label} size="sm" aria-label={label} title={label} onClick={act}>
            <Icon size={16} aria-hidden />
          </Button>
        ))}
      </chakra.div>
      <Button
        size="sm"
        position="absolute"
        zIndex="1"
        bottom="2.5"
        insetStart="2.5"
        aria-label="Show all nodes"
        onClick={showAll}
      >
        <Scan size={14} aria-hidden />
        All nodes
      </Button>
    </>
  );
}
