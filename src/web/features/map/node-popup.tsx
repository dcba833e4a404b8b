import { chakra } from "@chakra-ui/react/styled-system";
import { X } from "lucide-react";
import { useEffect, useEffectEvent, useMemo } from "react";
import { Popup, useMap, useMapEvents } from "react-leaflet";
import { useNodeHost } from "../../api/provider.ts";
import { Button } from "../../ui/forms/button.tsx";
import type { PlacedNode } from "./node-links.ts";
import { isMotionAllowed } from "./motion.ts";

export interface NodePopupProps {
  readonly node: PlacedNode;
  /** The summary of its links. */
  readonly summary: string;
  readonly onClose: () => void;
}

/** Scrolls its node into view when opened. A click on the map, the button and Escape close it. */
export function NodePopup({ node, summary, onClose }: NodePopupProps) {
  const hostOf = useNodeHost();
  const { lat, lon } = node;
  const position = useMemo((): [number, number] => [lat, lon], [lat, lon]);
  const map = useMap();
  useMapEvents({ click: onClose });

  useEffect(() => {
    // When the node was selected in the list on a small screen, the map is further up.
    map.getContainer().scrollIntoView({ block: "nearest" });
    map.panInside(position, {
      paddingTopLeft: [130, 150],
      paddingBottomRight: [130, 40],
      animate: isMotionAllowed(),
    });
  }, [map, position]);

  const close = useEffectEvent(() => {
    if (map.getPane("popupPane")?.contains(document.activeElement)) {
      map.getPane("markerPane")?.querySelector<HTMLElement>(".chosen")?.focus();
    }
    onClose();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <Popup
      position={position}
      offset={[0, -8]}
      minWidth={150}
      maxWidth={230}
      closeButton={false}
      autoPan={false}
      autoClose={false}
      closeOnClick={false}
      closeOnEscapeKey={false}
    >
      <chakra.div display="flex" alignItems="start" gap="2" ps="3" pe="1" py="1">
        <chakra.div flex="1" py="1.5" minWidth="0" overflowWrap="anywhere">
          <chakra.div fontFamily="mono" fontSize="sm" fontWeight="semibold">
            {node.name}
            <chakra.span color="fg.muted" fontWeight="normal">
              {hostOf(node.name).slice(node.name.length)}
            </chakra.span>
          </chakra.div>
          <chakra.div fontSize="sm">{node.place}</chakra.div>
          <chakra.div fontSize="sm" color="fg.muted">
            {summary}
          </chakra.div>
        </chakra.div>
        <Button size="sm" tone="quiet" aria-label="Close" onClick={() => close()}>
          <X size={14} aria-hidden />
        </Button>
      </chakra.div>
    </Popup>
  );
}
